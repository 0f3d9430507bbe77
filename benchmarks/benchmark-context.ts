import type { Size } from './data/size.js';
import type { Generator } from './load/generator.js';
import type { Progress } from './progress.js';

/** What every part of a run works with. */
export interface BenchmarkContext {
  readonly size: Size;
  /** Rounds of each contest, and milliseconds of each turn in it. */
  readonly rounds: number;
  readonly turnMs: number;
  readonly connections: number;
  readonly progress: Progress;
  readonly generator: Generator;
  /** A directory for files of this run. */
  readonly directory: string;
}
