/**
 * Counts what the service cases do on each combination of a storage and a way in. All but the times is the same in every run
 * with the same seed. Ends with 1 if a case did not pass.
 *
 *     npm run conformance:combinations
 *     npm run conformance:combinations -- --only sqlite --runs 20 --seed 7
 */
import { parseArgs } from 'node:util';
import { systemClock } from '../../../core/system.js';
import { defaultSeed, totalTries } from '../../property-settings.js';
import { terminalReport } from '../../report/index.js';
import { count, isGood, level, runSuite } from '../../runner/index.js';
import { commandCounter } from '../models/command-counter.js';
import { type Combination, casesFor, combinations } from './combination.js';

const { values } = parseArgs({
  options: {
    /** Only those whose name holds this text. */
    only: { type: 'string', default: '' },
    seed: { type: 'string', default: String(defaultSeed) },
    /** Factor on the number of random runs, the same for all. Default: what the tests do, which is less on slow ones. */
    runs: { type: 'string' },
  },
});

const chosen = combinations.filter(({ name }) => name.includes(values.only));
const seed = Number(values.seed);
const runs = values.runs === undefined ? undefined : Number(values.runs);
if (!Number.isSafeInteger(seed) || (runs !== undefined && !(runs > 0)))
  throw new Error('--seed and --runs are numbers');
if (chosen.length === 0) throw new Error(`No combination is called ${values.only}; there are ${names(combinations)}`);

console.log(line('combination', 'passed', 'skipped', 'failed', 'tries', 'commands', 'requests', 'seconds'));
for (const combination of chosen) await run(combination);

async function run({ name, backend, transport, runShare }: Combination): Promise<void> {
  const pool = await backend.open();
  let requests = 0;
  const open = async () => ({
    harness: {
      storage: () => pool.storage(),
      ...(transport.wire ? { wire: transport.wire } : {}),
      validateResponse: async () => {
        requests += 1;
        return [];
      },
    },
    close: async () => {},
  });
  const { asked, skipped } = casesFor(transport);
  const before = { totalTries, commands: commandCounter.count };
  const report = await runSuite({
    levels: [level('service', [...asked, ...skipped], open, async () => transport.capabilities)],
    subject: name,
    seed,
    runs: runs ?? runShare,
    now: () => systemClock.now(),
  });
  await pool.close();
  const numbers = [
    count(report.results, 'Pass'),
    count(report.results, 'Skip'),
    report.results.length - count(report.results, 'Pass') - count(report.results, 'Skip'),
    totalTries - before.totalTries,
    commandCounter.count - before.commands,
    requests,
    (report.took / 1_000).toFixed(1),
  ];
  console.log(line(name, ...numbers.map(String)));
  if (isGood(report)) return;
  console.error(terminalReport(report));
  process.exitCode = 1;
}

function line(name: string, ...cells: readonly string[]): string {
  return name.padEnd(22) + cells.map((cell) => cell.padStart(10)).join('');
}

function names(all: readonly Combination[]): string {
  return all.map(({ name }) => name).join(', ');
}
