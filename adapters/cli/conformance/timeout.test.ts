import { execFile } from 'node:child_process';
import test from 'ava';
import { withTimeout } from './timeout.js';

test('a promise that settles in time keeps its outcome', async (t) => {
  t.is(await withTimeout(Promise.resolve(3)), 3);
  await t.throwsAsync(withTimeout(Promise.reject(new Error('no'))), { message: 'no' });
});

test('listeners are removed', async (t) => {
  const before = process.listenerCount('unhandledRejection');
  await withTimeout(Promise.resolve());
  t.is(process.listenerCount('unhandledRejection'), before);
});

test('an unhandled rejection rejects the case in which it occurs', async (t) => {
  const module = new URL('./timeout.js', import.meta.url).href;
  const program = `
    import { withTimeout } from ${JSON.stringify(module)};
    const stray = async () => { Promise.reject(new Error('stray')); };
    await withTimeout(stray()).catch((error) => console.log(error.cause.message));
    console.log('continued');
  `;
  const output = await new Promise((resolve) => {
    execFile(process.execPath, ['--input-type=module', '--eval', program], (_error, stdout) => resolve(stdout));
  });
  t.is(output, 'stray\ncontinued\n');
});
