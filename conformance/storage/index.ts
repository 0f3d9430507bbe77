import { capabilityAndLifecycleCases } from './capabilities-and-lifecycle.js';
import type { StorageCase } from './case.js';
import { commitCases } from './commit.js';
import { concurrentReadCases } from './concurrent-reads.js';
import { countCases } from './count.js';
import { crashRecoveryCases } from './crash-recovery.js';
import { findCases } from './find.js';
import { loadCases } from './load-relations.js';
import { longestTextCases } from './longest-texts.js';
import { pagingCases } from './paging-during-writes.js';
import { randomBatchCases } from './random-batches.js';
import { sequenceAndEventCases } from './sequences-and-events.js';

export type { OtherProcess, StorageCase, StorageHarness, StorageHarnessCapability } from './case.js';

/** All cases of the storage contract. */
export const storageCases: readonly StorageCase[] = [
  ...commitCases,
  ...randomBatchCases,
  ...longestTextCases,
  ...findCases,
  ...pagingCases,
  ...concurrentReadCases,
  ...loadCases,
  ...countCases,
  ...sequenceAndEventCases,
  ...capabilityAndLifecycleCases,
  ...crashRecoveryCases,
];
