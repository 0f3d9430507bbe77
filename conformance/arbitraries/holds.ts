import fc from 'fast-check';
import { seed, trying } from '../settings.js';

/** Tries the property on `usual` generated values or so, and reports the smallest that fails, with the seed. */
export const holds = <T>(
  values: fc.Arbitrary<T>,
  usual: number,
  property: (value: T) => Promise<void>,
): Promise<void> => fc.assert(fc.asyncProperty(values, property), { ...trying(usual), includeErrorInReport: true });

/** One generated value, the same for the same seed. */
export function sampled<T>(values: fc.Arbitrary<T>): T {
  const [value] = fc.sample(values, { seed, numRuns: 1 });
  return value as T;
}
