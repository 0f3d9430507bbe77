import type { HttpApi } from '../../core/index.js';

/** What is served before there is an API: requests wait until it is opened. */
export interface Door extends HttpApi {
  open(api: HttpApi): void;
}

/**
 * The address has to be taken before anything is written, and the API has to know the address before it is made; so the door
 * stands first.
 */
export function makeDoor(): Door {
  let open: (api: HttpApi) => void = () => {};
  const behind = new Promise<HttpApi>((resolve) => {
    open = resolve;
  });
  return { open, matches: () => true, handle: async (request) => (await behind).handle(request) };
}
