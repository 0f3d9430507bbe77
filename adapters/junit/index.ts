/** Reports of test runs, read into executions as `host.tests.record` takes them. */
export type { ExecutionInput } from '../../core/host/tests/input.js';
export type { TestRun } from './check.js';
export { type FilesRead, readFiles } from './files.js';
export { type Format, formats, readExecutions } from './formats.js';
export { parseJUnit } from './junit.js';
