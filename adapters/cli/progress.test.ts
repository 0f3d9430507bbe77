import { Writable } from 'node:stream';
import test from 'ava';
import { progressOn } from './progress.js';

/** A stream that keeps what is written to it, and says that it is a terminal or is not. */
function screen(isTTY: boolean) {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY, columns: 100 }) as unknown as NodeJS.WriteStream, text: () => text };
}

async function loadOn(isTTY: boolean, records: number): Promise<string> {
  const { stream, text } = screen(isTTY);
  const progress = await progressOn(stream, records);
  progress.at(records / 2, records);
  progress.at(records, records);
  progress.end();
  return text();
}

test('a bar on a terminal for many records, and nothing anywhere else', async (t) => {
  t.regex(await loadOn(true, 10_000), /Loading .*10000 of 10000 records \| writing/);
  t.is(await loadOn(true, 70), '');
  t.is(await loadOn(false, 10_000), '');
});
