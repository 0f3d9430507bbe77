import type { Case } from '../case.js';
import { runHarnessStep } from './failure.js';

/** What a case runs against, and how to give back what was opened for it. */
export interface OpenedHarness<Harness> {
  readonly harness: Harness;
  close(): Promise<void>;
}

/** A case that only has to be started: what it runs against is settled. */
export interface BoundCase {
  readonly id: string;
  readonly cites: string;
  readonly needs: readonly string[];
  run(): Promise<void>;
}

/** Cases of one kind with what they run against. */
export interface Level {
  readonly name: string;
  readonly cases: readonly BoundCase[];
  /** What is declared, asked once before the first case; a case that needs more is skipped. */
  capabilities(): Promise<readonly string[]>;
  /** What to say of a case that is skipped because it lacks these. Default: that they are not declared. */
  skipReason?(unmetNeeds: readonly string[]): string;
}

/** Each case gets a harness of its own from `open`. `capabilities` are those that the harness makes. */
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
          // What is wrong with the case matters more than what becomes of the harness after it.
          const closed = runHarnessStep('The harness could not be closed', close);
          await (failed ? closed.catch(() => {}) : closed);
        }
      },
    })),
  };
}
