import type { Case } from '../case.js';
import { runHarnessStep } from './failure.js';

/** The harness of a case, and how to close what was opened for it. */
export interface OpenedHarness<Harness> {
  readonly harness: Harness;
  close(): Promise<void>;
}

/** A case with its harness bound: it only has to be started. */
export interface BoundCase {
  readonly id: string;
  readonly cites: string;
  readonly needs: readonly string[];
  run(): Promise<void>;
}

/** Cases of one kind with their harness. */
export interface Level {
  readonly name: string;
  readonly cases: readonly BoundCase[];
  /** The declared capabilities, read once before the first case. A case that needs others is skipped. */
  capabilities(): Promise<readonly string[]>;
  /** The reason in the report if a case is skipped. Default: the needs are not declared. */
  skipReason?(unmetNeeds: readonly string[]): string;
}

/** Makes a level. `open` opens a new harness for each case. `capabilities` lists what the harness can do. */
export function level<Harness>(
  name: string,
  cases: readonly Case<Harness>[],
  open: () => Promise<OpenedHarness<Harness>>,
  capabilities: () => Promise<readonly string[]> = async () => [],
): Level {
  return {
    name,
    capabilities,
    cases: cases.map(({ id, cites, needs = [], run }) => ({
      id,
      cites,
      needs,
      async run() {
        const { harness, close } = await runHarnessStep('The harness could not be opened', open);
        let failed = false;
        try {
          await run(harness);
        } catch (error) {
          failed = true;
          throw error;
        } finally {
          // The failure of the case must not be hidden by a failure to close the harness.
          const closed = runHarnessStep('The harness could not be closed', close);
          await (failed ? closed.catch(() => {}) : closed);
        }
      },
    })),
  };
}
