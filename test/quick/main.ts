/**
 * `npm run test:quick`: an answer in under 90 seconds. Runs the units, memory in process with a fifth of the random runs, and the
 * tests of the adapters that were touched since the branch left main. Says nothing of the rest: `npm test` does.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { testFilesFor } from './select.js';

const git = (...args: string[]): string[] =>
  execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    .split('\n')
    .filter((line) => line !== '');

/** Where the branch left main, or the last commit where there is no main. */
function startOfBranch(): string {
  for (const main of ['origin/main', 'main']) {
    try {
      return git('merge-base', 'HEAD', main)[0] ?? 'HEAD';
    } catch {
      // There is no such branch.
    }
  }
  return 'HEAD';
}

const changed = [...git('diff', '--name-only', startOfBranch()), ...git('ls-files', '--others', '--exclude-standard')];
const files = testFilesFor(changed);
console.log(`Tests of ${files.join(' ')}`);
const ava = fileURLToPath(new URL('../../../node_modules/ava/entrypoints/cli.mjs', import.meta.url));
const { status } = spawnSync(process.execPath, [ava, ...files], {
  stdio: 'inherit',
  env: { ...process.env, MILLRACE_RUNS: process.env.MILLRACE_RUNS ?? '0.2' },
});
process.exitCode = status ?? 1;
