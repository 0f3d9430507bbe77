import { askingAtOnceCases } from './asking-at-once.js';
import type { StorageCase } from './case.js';
import { changingCases } from './changing.js';
import { committingCases } from './committing.js';
import { countingCases } from './counting.js';
import { findingCases } from './finding.js';
import { longTextCases } from './long-texts.js';
import { numberingCases } from './numbering.js';
import { outlivingCases } from './outliving.js';
import { pagingCases } from './paging.js';
import { relatingCases } from './relating.js';
import { restartingCases } from './restarting.js';

export type { Elsewhere, StorageCase, StorageHarness, StorageNeed } from './case.js';

/** Everything that a storage is held to. */
export const storageCases: readonly StorageCase[] = [
  ...committingCases,
  ...changingCases,
  ...longTextCases,
  ...findingCases,
  ...pagingCases,
  ...askingAtOnceCases,
  ...relatingCases,
  ...countingCases,
  ...numberingCases,
  ...outlivingCases,
  ...restartingCases,
];
