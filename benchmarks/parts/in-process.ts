import type { Bench } from '../bench.js';
import type { Figure } from '../report/result.js';
import { inProcessOfItsOwn } from '../workers/run.js';

export const measureInProcess = ({ rounds, turn }: Bench): Promise<Figure[]> =>
  inProcessOfItsOwn('in-process', { milliseconds: turn, rounds });
