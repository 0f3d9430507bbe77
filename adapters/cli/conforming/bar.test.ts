import { Writable } from 'node:stream';
import test from 'ava';
import { barOn } from './bar.js';

async function shownOn(isTTY: boolean): Promise<string> {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  const bar = await barOn(Object.assign(stream, { isTTY, columns: 120 }) as unknown as NodeJS.WriteStream, 2);
  const about = { level: 'storage', cites: '', took: 0 };
  bar.at({ ...about, id: 'storage.first', status: 'Fail', fault: { message: '', replay: '' } }, 1, 2);
  bar.at({ ...about, id: 'storage.second', status: 'Pass' }, 2, 2);
  bar.end();
  return text;
}

test('a bar on a terminal, and nothing anywhere else', async (t) => {
  t.regex(await shownOn(true), /Cases .* 2 of 2 \| 1 wrong \| storage\.second/);
  t.is(await shownOn(false), '');
});
