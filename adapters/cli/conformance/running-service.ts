import type { Options, OptionValues } from '../command.js';
import { UsageError } from '../usage-error.js';

export const runningServiceOptions = {
  url: {
    type: 'string',
    value: 'URL',
    help: 'A running service to test instead of adapters, with its mount path',
  },
  token: {
    type: 'string',
    value: 'TOKEN',
    help: 'An access token of an admin; default: the environment variable MILLRACE_TOKEN',
  },
  organization: { type: 'string', value: 'SLUG', help: 'The organization in which the cases read and write' },
  pipeline: {
    type: 'string',
    value: 'SLUG',
    help: 'A pipeline in which the cases may create builds, which stay;\ndefault: no builds are created',
  },
  'read-only': { type: 'boolean', help: 'Only cases that never write' },
} as const satisfies Options;

/** A running service, and what the cases may do with it. */
export interface RunningService {
  readonly url: string;
  readonly token: string;
  readonly organization: string;
  readonly pipeline: string | undefined;
  readonly readOnly: boolean;
}

/** Parses `--url` and its dependent options. Undefined if adapters are tested. */
export function parseRunningService(values: OptionValues<typeof runningServiceOptions>): RunningService | undefined {
  const { url, organization, pipeline } = values;
  const readOnly = values['read-only'] === true;
  if (url === undefined) {
    const optionWithoutUrl = (['token', 'organization', 'pipeline', 'read-only'] as const).find(
      (name) => values[name] !== undefined,
    );
    if (optionWithoutUrl !== undefined) throw new UsageError(`--${optionWithoutUrl} needs --url`);
    return undefined;
  }
  const token = values.token ?? process.env.MILLRACE_TOKEN;
  if (token === undefined || token === '')
    throw new UsageError('--url needs --token, or MILLRACE_TOKEN in the environment');
  if (!/^[\x21-\x7e]+$/.test(token)) throw new UsageError('--token must consist of ASCII characters without spaces');
  if (organization === undefined)
    throw new UsageError('--url needs --organization: the slug of an organization that the token can access');
  if (readOnly && pipeline !== undefined)
    throw new UsageError('--pipeline is for creating builds, which --read-only does not do');
  return { url, token, organization, pipeline, readOnly };
}
