import type { CommandRuntime } from '../commands/execute.js';
import { anyFunction, type ChecksOf, checkOptions } from '../options-check.js';
import type { LoadFixture, LoadOptions } from './load-fixture.js';

const optionChecks: ChecksOf<LoadOptions> = { onProgress: anyFunction };

/**
 * Creates the function that loads a fixture: all of its records in one commit, or none. It throws the error `fixture.invalid`,
 * which lists every problem with its path. The code that reads and plans fixtures is a fifth of the core, and most processes
 * never need it, so it is imported by the first call.
 */
export function makeLoad(commandRuntime: CommandRuntime): LoadFixture {
  let load: Promise<LoadFixture> | undefined;
  return async (document, options = {}) => {
    checkOptions('load', options, optionChecks);
    load ??= import('./load.js').then(({ makeLoader }) => makeLoader(commandRuntime));
    return (await load)(document, options);
  };
}
