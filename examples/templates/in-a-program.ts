import { isGood, runSuite, storageLevel, terminalReport } from 'millrace/conformance';
import myStorage from './json-file-module.js';

const report = await runSuite({
  levels: [storageLevel({ open: () => myStorage() })],
  seed: 42,
  only: (id) => id.startsWith('storage.commit'),
  now: () => performance.now(),
});
console.log(terminalReport(report), isGood(report));
