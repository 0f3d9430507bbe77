import type { CommandRuntime } from '../commands/execute.js';
import type { LoadFixture } from './load-fixture.js';

/**
 * Makes the function that loads a fixture: all of its records in one commit, or none. What is wrong with it is thrown as the
 * error `fixture.invalid`, which names every problem by its path. What reads and plans fixtures is a fifth of the core, which most
 * processes never need: it is imported with the first one.
 */
export function makeLoad(commandRuntime: CommandRuntime): LoadFixture {
  let load: Promise<LoadFixture> | undefined;
  return async (document, options) => {
    load ??= import('./load.js').then(({ makeLoader }) => makeLoader(commandRuntime));
    return (await load)(document, options);
  };
}
