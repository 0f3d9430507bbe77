import type { CommandRuntime } from '../commands/execute.js';
import { anyFunction, type ChecksOf, checkOptions } from '../options-check.js';
import type { LoadFixture, LoadOptions } from './load-fixture.js';

const optionChecks: ChecksOf<LoadOptions> = { onProgress: anyFunction };

/**
 * Makes the function that loads a fixture: all of its records in one commit, or none. What is wrong with it is thrown as the
 * error `fixture.invalid`, which names every problem by its path. What reads and plans fixtures is a fifth of the core, which most
 * processes never need: it is imported with the first one.
 */
export function makeLoad(commandRuntime: CommandRuntime): LoadFixture {
  let load: Promise<LoadFixture> | undefined;
  return async (document, options = {}) => {
    checkOptions('load', options, optionChecks);
    load ??= import('./load.js').then(({ makeLoader }) => makeLoader(commandRuntime));
    return (await load)(document, options);
  };
}
