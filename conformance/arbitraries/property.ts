import fc from 'fast-check';
import { propertyParameters, seed } from '../property-settings.js';

/** Checks the property on `defaultRuns` generated values, scaled by the run factor, and reports the smallest failing value with the seed. */
export const assertProperty = <T>(
  values: fc.Arbitrary<T>,
  defaultRuns: number,
  property: (value: T) => Promise<void>,
): Promise<void> =>
  fc.assert(fc.asyncProperty(values, property), { ...propertyParameters(defaultRuns), includeErrorInReport: true });

/** One generated value. The same seed generates the same value. */
export function sampleOne<T>(values: fc.Arbitrary<T>): T {
  const [value] = fc.sample(values, { seed, numRuns: 1 });
  return value as T;
}
