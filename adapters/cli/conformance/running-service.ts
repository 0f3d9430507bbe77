import type { Options, OptionValues } from '../command.js';
import { UsageError } from '../usage-error.js';

export const runningServiceOptions = {
  url: {
    type: 'string',
    value: 'URL',
    help: 'A service that runs already, instead of adapters; with the path it is mounted at',
  },
  token: {
    type: 'string',
    value: 'TOKEN',
    help: 'An access token of an admin there; MILLRACE_TOKEN of the environment if absent',
  },
  organization: { type: 'string', value: 'SLUG', help: 'The organization there that is looked at and written to' },
  pipeline: {
    type: 'string',
    value: 'SLUG',
    help: 'A pipeline there in which builds may be made, which stay;\nno build is made if absent',
  },
  'read-only': { type: 'boolean', help: 'Of the service at --url, only what never writes' },
} as const satisfies Options;

/** A service that runs already, and what may be done with it. */
export interface RunningService {
  readonly url: string;
  readonly token: string;
  readonly organization: string;
  readonly pipeline: string | undefined;
  readonly readOnly: boolean;
}

/** Reads `--url` and what belongs to it; undefined where adapters are tested. */
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
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new UsageError('--token must be a token: letters, digits and signs without spaces');
  if (organization === undefined)
    throw new UsageError('--url needs --organization: the slug of one that the token is for');
  if (readOnly && pipeline !== undefined)
    throw new UsageError('--pipeline is for builds to be made, and --read-only makes none');
  return { url, token, organization, pipeline, readOnly };
}
