import { readFile } from 'node:fs/promises';
import test from 'ava';
import { makeSuiteFixture } from '../../test/support/suite-fixture.js';
import { parseJUnit, readExecutions } from './index.js';

const page = readFile(new URL('../../../docs/flaky-tests.md', import.meta.url), 'utf8');
const run = { commit: 'b7f3c1e', branch: 'main', at: '2026-01-05T09:30:00Z' };

test('junit.documented-example', async (t) => {
  const xml = /```xml\n([\s\S]*?)```/.exec(await page)?.[1] ?? '';
  const [documented] = JSON.parse(/```json\n([\s\S]*?)```/.exec(await page)?.[1] ?? '');
  const { record, list } = await makeSuiteFixture();
  const executions = parseJUnit(xml, run);
  t.is((await record(executions)).flaky.length, 1);
  const { tests } = await list('branch=main');
  t.deepEqual(
    tests.map((listed) => ({ ...listed, id: documented.id, web_url: documented.web_url })),
    [documented],
  );
  t.deepEqual(readExecutions('json', JSON.stringify({ executions }), run), executions);
});
