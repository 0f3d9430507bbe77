import { execFile } from 'node:child_process';
import test from 'ava';
import { withTimeout } from './timeout.js';

test('what is over in time is handed on, good or bad', async (t) => {
  t.is(await withTimeout(Promise.resolve(3)), 3);
  await t.throwsAsync(withTimeout(Promise.reject(new Error('no'))), { message: 'no' });
});

test('nothing is left listening', async (t) => {
  const before = process.listenerCount('unhandledRejection');
  await withTimeout(Promise.resolve());
  t.is(process.listenerCount('unhandledRejection'), before);
});

test('what is thrown where nobody listens is told of the case that it belongs to', async (t) => {
  const module = new URL('./timeout.js', import.meta.url).href;
  const program = `
    import { withTimeout } from ${JSON.stringify(module)};
    const stray = async () => { Promise.reject(new Error('stray')); };
    await withTimeout(stray()).catch((error) => console.log(error.cause.message));
    console.log('and on');
  `;
  const output = await new Promise((resolve) => {
    execFile(process.execPath, ['--input-type=module', '--eval', program], (_error, stdout) => resolve(stdout));
  });
  t.is(output, 'stray\nand on\n');
});
