import { Writable } from 'node:stream';
import test from 'ava';
import { createProgressBar } from './progress-bar.js';

async function outputFor(isTTY: boolean): Promise<string> {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  const bar = await createProgressBar(
    Object.assign(stream, { isTTY, columns: 120 }) as unknown as NodeJS.WriteStream,
    2,
  );
  const result = { level: 'storage', cites: '', took: 0 };
  bar.update({ ...result, id: 'storage.first', status: 'Fail', fault: { message: '', replay: '' } }, 1, 2);
  bar.update({ ...result, id: 'storage.second', status: 'Pass' }, 2, 2);
  bar.stop();
  return text;
}

test('a bar on a terminal, no output elsewhere', async (t) => {
  t.regex(await outputFor(true), /Cases .* 2 of 2 \| 1 failed \| storage\.second/);
  t.is(await outputFor(false), '');
});
