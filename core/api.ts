import { compose } from './container.js';
import type { EventFeed } from './events.js';
import type { ApiOptions, ContainerApiOptions } from './options.js';
import type { ApiRequest, ApiResponse } from './ports/index.js';
import type { Fixture, LoadedFixture, LoadOptions, Provision } from './provisioning/index.js';
import type { Runtime } from './runtime/index.js';

/** A whole CI API: handles requests, and has the calls that the CI system behind it needs. */
export interface Api extends AsyncDisposable {
  /**
   * Makes the storage ready: creates or migrates its schema. Call it once before the first request; several processes may do so
   * at the same time.
   *
   * @throws `StorageUnavailable`: the database cannot be reached.
   */
  prepare(): Promise<void>;
  /** Whether the path belongs to the API, for any method, so that host programs can mount it among their own routes. */
  matches(method: string, target: string): boolean;
  /** Answers a request. Never throws and never rejects: errors are responses. Transports such as `nodeHandler` call it. */
  handle(request: ApiRequest): Promise<ApiResponse>;
  /** What the CI system behind the API calls: agents, jobs, tests, tokens, sweep. */
  readonly runtime: Runtime;
  /** Provisions records one at a time: organizations, users, pipelines, … */
  readonly provision: Provision;
  /**
   * Loads a fixture: all of its records in one commit, or none. The records announce no events.
   *
   * @throws `fixture.invalid` (422): something is wrong; `data.problems` of the error names every problem by its path.
   * @example
   * const { access_tokens } = await api.load({
   *   organizations: [{ slug: 'acme' }],
   *   users: [{ name: 'Ada', email: 'ada@acme.example', organizations: [{ organization: 'acme', role: 'admin' }] }],
   *   access_tokens: [{ user: 'ada@acme.example' }],
   * });
   */
  load(fixture: Fixture, options?: LoadOptions): Promise<LoadedFixture>;
  /** The event feed: state changes of builds, jobs and agents, in order. */
  readonly events: EventFeed;
  /**
   * Closes the event feed, and the storage if it was given as an option; parts from a container stay open. Later calls wait for
   * the same end. `await using api = createApi(…)` calls it as well.
   */
  close(): Promise<void>;
}

/**
 * Makes an Api over a storage. Nothing is opened until it is used.
 *
 * @param options with a `storage`, or with a `container` in which one is registered under `tokens.storage`
 * @throws `TypeError`: an option is unknown, missing or wrong; the message names it.
 * @example
 * const api = createApi({ storage: memoryStorage(), baseUrl: 'https://ci.example.com' });
 * await api.prepare();
 */
export function createApi(options: ApiOptions | ContainerApiOptions): Api {
  const { dispatch, runtime, provision, load, events, storage, dispose } = compose(options);
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= dispose();
    return closing;
  };
  return {
    prepare: () => storage.prepare(),
    matches: dispatch.matches,
    handle: dispatch.handle,
    runtime,
    provision,
    load,
    events,
    close,
    [Symbol.asyncDispose]: close,
  };
}
