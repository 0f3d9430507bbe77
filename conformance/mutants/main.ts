/**
 * Shows that the suite bites: runs everything that is broken on purpose until a case notices it, and everything that is good
 * from end to end. Ends with 1 if something broken was not caught, or something good was.
 *
 *     npm run conformance:broken -- --seeds 5 --runs 0.5
 *     npm run conformance:broken -- --seeds 5 --good-seeds 20
 */
import { parseArgs } from 'node:util';
import { systemClock, systemIds } from '../../core/system.js';
import { checkMutation, isExpected, type MutationCheckResult, type Subject } from './mutation-check.js';
import { correctSubjects, mutantSubjects } from './subjects.js';
import { type Row, table } from './table.js';

const { values } = parseArgs({
  options: {
    /** How many rounds, each with a seed of its own. */
    seeds: { type: 'string', default: '1' },
    /** How many rounds for what is good. Default: as many as for what is broken. */
    'good-seeds': { type: 'string' },
    /** The seed of the first round. Default: a fresh one. */
    seed: { type: 'string' },
    /** Factor on the number of random runs. */
    runs: { type: 'string', default: '1' },
    /** Only those whose kind and name hold this text. */
    only: { type: 'string', default: '' },
  },
});

/** A mistyped number must not make a run of nothing that ends well. */
function number(option: 'seeds' | 'good-seeds' | 'seed' | 'runs', fallback?: string): number {
  const value = Number(values[option] ?? fallback);
  if (!(value >= 0)) throw new Error(`--${option} must be a number, not ${values[option]}`);
  return value;
}

const randomSeed = (): number => Math.floor(systemIds.random() * 2 ** 31);
const mutantRounds = number('seeds');
const goodRounds = number('good-seeds', values.seeds);
const rounds = Array.from({ length: Math.max(mutantRounds, goodRounds) }, (_, round) =>
  round === 0 && values.seed !== undefined ? number('seed') : randomSeed(),
);

/** A case that hangs is a case that fails. */
async function withTimeout<T>(work: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const tooLong = systemClock.sleep(120_000, timer.signal).then(() => {
    throw new Error('Nothing has happened for two minutes');
  });
  try {
    return await Promise.race([work, tooLong]);
  } finally {
    timer.abort();
  }
}

// What is broken may leave work behind that nobody waits for any more, and that fails when all is closed.
process.on('unhandledRejection', () => {});

const good = await correctSubjects();
const subjects = [...good.subjects, ...mutantSubjects].filter(({ kind, name }) =>
  `${kind} ${name}`.includes(values.only),
);
const results = new Map<Subject, MutationCheckResult[]>(subjects.map((subject) => [subject, []]));
let unexpected = 0;
for (const [round, seed] of rounds.entries()) {
  const startedAt = systemClock.now();
  const due = subjects.filter(({ isMutant }) => round < (isMutant ? mutantRounds : goodRounds));
  let expected = 0;
  for (const subject of due) {
    const outcome = await checkMutation(subject, { seed, runs: number('runs'), withTimeout });
    results.get(subject)?.push(outcome);
    if (isExpected(subject, outcome)) expected += 1;
    else console.error(`!! seed ${seed}: ${subject.kind} ${subject.name}`, outcome.caught ?? outcome.errors[0] ?? '');
  }
  unexpected += due.length - expected;
  const seconds = ((systemClock.now() - startedAt) / 1_000).toFixed(1);
  console.log(`seed ${seed}: ${expected} of ${due.length} as they should be, in ${seconds} s`);
}
await good.close();

const rows = [...results]
  .map(([subject, checks]): Row => ({ subject, checks }))
  .filter(({ checks }) => checks.length > 0);
for (const isMutant of [true, false]) {
  const some = rows.filter(({ subject }) => subject.isMutant === isMutant);
  if (some.length > 0) console.log(`\n${table(some)}`);
}
process.exitCode = unexpected === 0 && rows.length > 0 ? 0 : 1;
