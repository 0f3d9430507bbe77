export { HarnessError } from './failure.js';
export { type Level, level, type OpenedHarness } from './level.js';
export { type StorageUnderTest, serviceLevel, storageLevel, transportLevel } from './levels.js';
export { formatReplay, parseReplay, type Replay } from './replay.js';
export { count, type Failure, isGood, type Report, type Result, replayLine, type Status, statuses } from './result.js';
export { type RunOptions, runSuite, selectCases } from './run.js';
