import type { HttpApi } from '../../core/index.js';

/** An API that is served before the real one exists: requests wait until `setApi` is called. */
export interface LazyApi extends HttpApi {
  setApi(api: HttpApi): void;
}

/**
 * The server listens before anything is written, and the API needs the server's address when it is created. So the server starts
 * with a lazy API.
 */
export function createLazyApi(): LazyApi {
  let setApi: (api: HttpApi) => void = () => {};
  const apiPromise = new Promise<HttpApi>((resolve) => {
    setApi = resolve;
  });
  return { setApi, matches: () => true, handle: async (request) => (await apiPromise).handle(request) };
}
