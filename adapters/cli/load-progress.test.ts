import { Writable } from 'node:stream';
import test from 'ava';
import { createLoadProgress } from './load-progress.js';

/** A stream that records its output and is a terminal or not. */
function recordingStream(isTTY: boolean) {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY, columns: 100 }) as unknown as NodeJS.WriteStream, text: () => text };
}

async function outputFor(isTTY: boolean, records: number): Promise<string> {
  const { stream, text } = recordingStream(isTTY);
  const progress = await createLoadProgress(stream, records);
  progress.update(records / 2, records);
  progress.update(records, records);
  progress.stop();
  return text();
}

test('a bar on a terminal for many records, no output elsewhere', async (t) => {
  t.regex(await outputFor(true, 10_000), /Loading .*10000 of 10000 records \| writing/);
  t.is(await outputFor(true, 70), '');
  t.is(await outputFor(false, 10_000), '');
});
