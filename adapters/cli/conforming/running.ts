import type { Given, Options } from '../command.js';
import { Complaint } from '../complaint.js';

export const runningOptions = {
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
export interface RunningChoice {
  readonly url: string;
  readonly token: string;
  readonly organization: string;
  readonly pipeline: string | undefined;
  readonly readOnly: boolean;
}

/** Reads `--url` and what belongs to it; undefined where adapters are tested. */
export function runningOf(given: Given<typeof runningOptions>): RunningChoice | undefined {
  const { url, organization, pipeline } = given;
  const readOnly = given['read-only'] === true;
  if (url === undefined) {
    const lone = (['token', 'organization', 'pipeline', 'read-only'] as const).find(
      (name) => given[name] !== undefined,
    );
    if (lone !== undefined) throw new Complaint(`--${lone} needs --url`);
    return undefined;
  }
  const token = given.token ?? process.env.MILLRACE_TOKEN;
  if (token === undefined || token === '')
    throw new Complaint('--url needs --token, or MILLRACE_TOKEN in the environment');
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new Complaint('--token must be a token: letters, digits and signs without spaces');
  if (organization === undefined)
    throw new Complaint('--url needs --organization: the slug of one that the token is for');
  if (readOnly && pipeline !== undefined)
    throw new Complaint('--pipeline is for builds to be made, and --read-only makes none');
  return { url, token, organization, pipeline, readOnly };
}
