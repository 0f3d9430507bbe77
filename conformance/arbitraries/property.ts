import fc from 'fast-check';
import { propertyParameters, seed } from '../property-settings.js';

/** Tries the property on `usual` generated values or so, and reports the smallest that fails, with the seed. */
export const assertProperty = <T>(
  values: fc.Arbitrary<T>,
  defaultRuns: number,
  property: (value: T) => Promise<void>,
): Promise<void> =>
  fc.assert(fc.asyncProperty(values, property), { ...propertyParameters(defaultRuns), includeErrorInReport: true });

/** One generated value, the same for the same seed. */
export function sampleOne<T>(values: fc.Arbitrary<T>): T {
  const [value] = fc.sample(values, { seed, numRuns: 1 });
  return value as T;
}
