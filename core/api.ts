import { compose } from './container.js';
import type { EventFeed } from './events.js';
import type { ApiOptions } from './options.js';
import type { ApiRequest, ApiResponse } from './ports/index.js';
import type { Runtime } from './runtime/index.js';

/** A whole CI API in one value. */
export interface Api {
  /** Makes the storage ready. To be called once before the first request; several processes may do so at the same time. */
  prepare(): Promise<void>;
  /** Whether the path is one of the API's, so that hosts can mount it among their own routes. */
  matches(method: string, target: string): boolean;
  /** Answers a request. Never throws and never rejects: whatever goes wrong is an answer as well. */
  handle(request: ApiRequest): Promise<ApiResponse>;
  /** What the CI system behind the API does: provisioning, agents, jobs. Refusals are thrown. */
  readonly host: Runtime;
  /** What happened, in order. */
  readonly events: EventFeed;
  /** Gives everything back, the storage included. */
  close(): Promise<void>;
}

/**
 * Makes an Api over a storage. Mistakes in the options are thrown as `TypeError`.
 *
 *     const api = createApi({ storage: memoryStorage(), baseUrl: 'https://ci.example.com' });
 */
export function createApi(options: ApiOptions): Api {
  const { dispatch, host, events, storage, dispose } = compose(options);
  let closing: Promise<void> | undefined;
  return {
    prepare: () => storage.prepare(),
    matches: dispatch.matches,
    handle: dispatch.handle,
    host,
    events,
    close: () => {
      closing ??= dispose();
      return closing;
    },
  };
}
