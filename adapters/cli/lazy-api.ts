import type { HttpApi } from '../../core/index.js';

/** What is served before there is an API: requests wait until it is opened. */
export interface LazyApi extends HttpApi {
  setApi(api: HttpApi): void;
}

/**
 * The address has to be taken before anything is written, and the API has to know the address before it is made; so the door
 * stands first.
 */
export function createLazyApi(): LazyApi {
  let setApi: (api: HttpApi) => void = () => {};
  const apiPromise = new Promise<HttpApi>((resolve) => {
    setApi = resolve;
  });
  return { setApi, matches: () => true, handle: async (request) => (await apiPromise).handle(request) };
}
