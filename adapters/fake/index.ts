import { type Api, type ApiOptions, createApi, type Fixture } from '../../core/index.js';
import { apiOptionChecks } from '../../core/options.js';
import { anyObject, type ChecksOf, checkOptions, integerFrom, type OptionCheck } from '../../core/options-check.js';
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

/** The options of `createApi` without `clock` and `ids`, which the fake service provides, and without a container. */
export interface FakeOptions extends Partial<Omit<ApiOptions, 'clock' | 'ids' | 'container'>> {
  /** The initial records. Default: `defaultFixture`. */
  readonly fixture?: Fixture | undefined;
  /** The same seed gives the same ids and tokens. Default: 1. */
  readonly seed?: number | undefined;
  /** The initial time of the clock: milliseconds since 1970, or a text that `Date.parse` accepts. Default: 2026-01-05T09:00:00Z. */
  readonly start?: number | string | undefined;
}

const { clock: _clock, ids: _ids, container: _container, ...inheritedChecks } = apiOptionChecks;

const startCheck: OptionCheck = {
  expected: 'milliseconds since 1970, or a text that Date.parse accepts',
  accepts: (value) => Number.isFinite(typeof value === 'string' ? Date.parse(value) : value),
};

const optionChecks: ChecksOf<FakeOptions> = {
  ...inheritedChecks,
  fixture: anyObject,
  seed: integerFrom(Number.MIN_SAFE_INTEGER),
  start: startCheck,
};

/** A complete service inside a test process. */
export interface FakeService extends AsyncDisposable {
  readonly api: Api;
  /** The clock of the service. It stands still until `advance` is called. */
  readonly clock: ManualClock;
  /** Slug of the first organization of the fixture. */
  readonly organization: string;
  /** An access token of an admin of that organization, with all scopes unless the fixture says otherwise. */
  readonly token: string;
  /** The base URL of the URLs in responses. */
  readonly baseUrl: string;
  /** Sends a request, by default with `token`. Rejects only if the service itself fails. */
  readonly request: SendRequest;
  /** A replacement for the global `fetch`, to pass to clients. Relative URLs are below `baseUrl`. No request leaves the process. */
  readonly fetch: InProcessFetch;
  /** The errors behind responses with status 500 or 503. */
  readonly errors: readonly unknown[];
  /** Closes the Api and its storage. `await using service = await fakeService()` calls it as well. */
  close(): Promise<void>;
}

/**
 * Creates a service in memory with a clock that stands still and seeded ids, so that a test gets the same responses in every
 * run.
 *
 *     const service = await fakeService();
 *     const { status, body } = await service.request('GET', `/v2/organizations/${service.organization}/builds`);
 */
export async function fakeService(options: FakeOptions = {}): Promise<FakeService> {
  checkOptions('fakeService', options, optionChecks);
  const { fixture = defaultFixture, seed = 1, start, baseUrl = 'https://api.ci.test', ...rest } = options;
  const clock = manualClock(start);
  const errors: unknown[] = [];
  const onError = (error: unknown): void => {
    errors.push(error);
  };
  const api = createApi({ storage: memoryStorage(), onError, ...rest, baseUrl, clock, ids: seededIds(seed) });
  await api.prepare();
  const { access_tokens } = await api.load(fixture);
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
    [Symbol.asyncDispose]: () => api.close(),
  };
}
