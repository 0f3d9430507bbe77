import { type Api, type ApiOptions, createApi, type Fixture } from '../../core/index.js';
import { memoryStorage } from '../memory/index.js';
import { adminToken } from './admin-token.js';
import { defaultFixture } from './default-fixture.js';
import { type InProcessFetch, inProcessFetch } from './in-process-fetch.js';
import { type ManualClock, manualClock } from './manual-clock.js';
import { inProcessRequest, type SendRequest } from './request.js';
import { seededIds } from './seeded-ids.js';

export { defaultFixture } from './default-fixture.js';
export type { InProcessFetch } from './in-process-fetch.js';
export { type ManualClock, manualClock } from './manual-clock.js';
export type { FakeResponse, SendOptions, SendRequest } from './request.js';
export { seededIds } from './seeded-ids.js';

/** All that an Api can be made with, but what makes a fake what it is. */
export interface FakeOptions extends Partial<Omit<ApiOptions, 'clock' | 'ids'>> {
  /** Records to begin with. Default: `workshop`. */
  readonly fixture?: Fixture | undefined;
  /** Ids and tokens are the same for the same seed. Default: 1. */
  readonly seed?: number | undefined;
  /** When the clock stands still: milliseconds since 1970, or a text that `Date.parse` reads. */
  readonly start?: number | string | undefined;
}

/** A whole service inside a test. */
export interface FakeService {
  readonly api: Api;
  /** Stands still until it is told to go on. */
  readonly clock: ManualClock;
  /** Slug of the first organization of the fixture. */
  readonly organization: string;
  /** An access token of an admin of that organization, with all scopes unless the fixture says otherwise. */
  readonly token: string;
  /** What addresses in answers begin with. */
  readonly baseUrl: string;
  /** Sends a request, with `token` unless another one is named. Rejects only if the service is broken. */
  readonly request: SendRequest;
  /** Like the global `fetch`, for clients that take one: relative addresses are below `baseUrl`, and no request leaves the process. */
  readonly fetch: InProcessFetch;
  /** What went wrong inside: whatever was answered with 500 or 503. */
  readonly errors: readonly unknown[];
  close(): Promise<void>;
}

/**
 * Makes a service in memory, in a time that stands still, with ids that are the same each time: a test that does the same
 * gets the same, at once.
 *
 *     const service = await fakeService();
 *     const { status, body } = await service.request('GET', `/v2/organizations/${service.organization}/builds`);
 */
export async function fakeService(options: FakeOptions = {}): Promise<FakeService> {
  const { fixture = defaultFixture, seed = 1, start, baseUrl = 'https://api.ci.test', ...rest } = options;
  const clock = manualClock(start);
  const errors: unknown[] = [];
  const onError = (error: unknown): void => {
    errors.push(error);
  };
  const api = createApi({ storage: memoryStorage(), onError, ...rest, baseUrl, clock, ids: seededIds(seed) });
  await api.prepare();
  const { access_tokens } = await api.host.load(fixture);
  const { organization, token } = await adminToken(api, fixture, access_tokens);
  return {
    api,
    clock,
    organization,
    token,
    baseUrl,
    request: inProcessRequest(api, token),
    fetch: inProcessFetch(api, baseUrl),
    errors,
    close: () => api.close(),
  };
}
