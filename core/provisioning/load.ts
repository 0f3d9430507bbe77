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

/** Records between two reports of progress. */
const reportEvery = 100;
/** Ids that are taken in one go; of a small fixture, some for each record. */
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
 * The command behind it. The plan is made while loading, not in `decide`: a document that is refused must not have taken any
 * numbers of builds, and whether it is refused is known only when it has been planned.
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

/** Fresh ids, so many taken at once, and secrets. */
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
