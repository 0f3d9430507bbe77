import type { Command } from '../commands/command.js';
import { type CommandRuntime, execute } from '../commands/execute.js';
import { isApiError } from '../errors/index.js';
import { type FirstBuildNumbers, reserveBuildNumbers } from './build-numbers.js';
import { loadExisting } from './existing-records.js';
import type { Fixture } from './fixture-schema.js';
import type { LoadFixture, LoadOptions } from './load-fixture.js';
import { parseFixture } from './parse-fixture.js';
import { countRecords, decideLoad, type LoadedFixture, type Plan, planFixture } from './plan.js';
import type { IdSource } from './plan-draft.js';
import { Problems } from './problems.js';
import { collectReferences } from './references.js';

/** The number of records between two calls of the progress callback. */
const reportEvery = 100;
/** The largest number of ids that are generated at once. Small fixtures generate a few for each record. */
const maxIdsPerTake = 1_000;
const idsPerRecord = 8;

/** The function that loads fixtures, see `makeLoad`. */
export function makeLoader(commandRuntime: CommandRuntime): LoadFixture {
  return async (document, options = {}) => {
    const fixture = await parseFixture(document);
    if (fixture instanceof Problems) throw fixture.toError();
    const reply = await execute(
      loadCommand(commandRuntime, options),
      { input: fixture, query: {}, caller: null, locate: async () => null },
      commandRuntime,
    );
    if (isApiError(reply)) throw reply;
    return reply;
  };
}

interface PlannedLoad {
  readonly plan: Plan;
  readonly firstNumbers: FirstBuildNumbers;
}

/**
 * The command that loads a fixture. It plans in `load`, not in `decide`: a rejected document must not use up build numbers, and
 * only planning shows whether the document is rejected.
 */
const loadCommand = (
  commandRuntime: CommandRuntime,
  { onProgress }: LoadOptions,
): Command<null, Fixture, PlannedLoad, LoadedFixture> => ({
  async load({ input, reader, attempt, now }) {
    const existing = await loadExisting(collectReferences(input), reader, attempt > 0);
    const total = countRecords(input);
    let done = 0;
    const plan = planFixture(
      input,
      existing,
      now(),
      makeIdSource(commandRuntime, Math.min(maxIdsPerTake, total * idsPerRecord)),
      () => {
        done += 1;
        if (onProgress && (done === total || done % reportEvery === 0)) onProgress(done, total);
      },
    );
    if (plan instanceof Problems) return plan.toError();
    return {
      plan,
      firstNumbers: await reserveBuildNumbers(plan.builds, (sequence, above) =>
        commandRuntime.storage.next(sequence, above),
      ),
    };
  },
  decide: ({ plan, firstNumbers }) => decideLoad(plan, firstNumbers),
});

/** New ids, which are generated in groups, and secrets. */
function makeIdSource({ ids, clock }: CommandRuntime, idsPerTake: number): IdSource {
  let ready: string[] = [];
  return {
    id() {
      if (ready.length === 0) ready = ids.uuids(idsPerTake, clock.now()).reverse();
      return ready.pop() as string;
    },
    secret: (length) => ids.secret(length),
  };
}
