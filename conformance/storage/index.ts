import type { StorageCase } from './case.js';
import { changingCases } from './changing.js';
import { committingCases } from './committing.js';
import { findingCases } from './finding.js';
import { numberingCases } from './numbering.js';
import { outlivingCases } from './outliving.js';
import { relatingCases } from './relating.js';

export type { StorageCase, StorageHarness } from './case.js';

/** Everything that a storage is held to. */
export const storageCases: readonly StorageCase[] = [
  ...committingCases,
  ...changingCases,
  ...findingCases,
  ...relatingCases,
  ...numberingCases,
  ...outlivingCases,
];
