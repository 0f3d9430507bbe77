export { HarnessBroke } from './fault.js';
export { type Level, level, type Opened } from './level.js';
export { type StorageUnderTest, serviceLevel, storageLevel, transportLevel } from './levels.js';
export { type Replay, readReplay, replayText } from './replay.js';
export { count, type Fault, isGood, type Report, type Result, replayLine, type Status, statuses } from './result.js';
export { chosen, type RunOptions, runSuite } from './run.js';
