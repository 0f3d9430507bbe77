/** Reads reports of test runs into executions as `runtime.tests.record` takes them. */
export type { ExecutionInput } from '../../core/runtime/test-executions/execution-input.js';
export { type ReadFilesResult, readFiles } from './files.js';
export { type Format, formats, readExecutions } from './formats.js';
export { parseJUnit } from './junit.js';
export type { TestRun } from './validate-execution.js';
