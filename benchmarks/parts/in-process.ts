import type { BenchmarkContext } from '../benchmark-context.js';
import type { Figure } from '../report/result.js';
import { runInChildProcess } from '../workers/child-process.js';

export const measureInProcess = ({ rounds, turnMs }: BenchmarkContext): Promise<Figure[]> =>
  runInChildProcess('in-process', { milliseconds: turnMs, rounds });
