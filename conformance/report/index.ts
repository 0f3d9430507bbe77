export { htmlReport } from './html.js';
export { jsonReport } from './json.js';
export { junitReport } from './junit.js';
export { terminalReport } from './terminal.js';
