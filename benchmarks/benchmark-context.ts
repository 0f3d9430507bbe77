import type { Size } from './data/size.js';
import type { Generator } from './load/generator.js';
import type { Progress } from './progress.js';

/** Settings and resources of a run, for all of its parts. */
export interface BenchmarkContext {
  readonly size: Size;
  /** Number of rounds. In each of them every server has a turn of `turnMs` milliseconds. */
  readonly rounds: number;
  readonly turnMs: number;
  readonly connections: number;
  readonly progress: Progress;
  readonly generator: Generator;
  /** A temporary directory of this run. */
  readonly directory: string;
}
