import { readFile } from 'node:fs/promises';
import test from 'ava';
import { echo, json, recordingApi } from '../../conformance/transport/recording-api.js';
import { fetchHandler } from './index.js';

const url = 'https://ci.test/v2/x';

test("the client address is read from the host's further arguments", async (t) => {
  const api = recordingApi();
  const handler = fetchHandler(api, { remoteAddress: (_request, info: { hostname: string }) => info.hostname });
  await handler(new Request(url), { hostname: '203.0.113.7' });
  await fetchHandler(api)(new Request(url), 'whatever', 'else');
  t.deepEqual(
    api.seen.map(({ remoteAddress }) => remoteAddress),
    ['203.0.113.7', undefined],
  );
});

test('an exception in remoteAddress is a 500, not a rejection', async (t) => {
  const handler = fetchHandler(recordingApi(), {
    remoteAddress: () => {
      throw new Error('secret');
    },
  });
  t.is((await handler(new Request(url))).status, 500);
});

test('a fragment is not part of the target', async (t) => {
  const api = recordingApi();
  await fetchHandler(api)(new Request(`${url}?y=1#z`));
  t.is(api.seen[0]?.target, '/v2/x?y=1');
});

test('a body that was already read is an error, not an empty body', async (t) => {
  const request = new Request(url, { method: 'POST', body: 'abc' });
  const copy = request.clone();
  await request.text();
  const handler = fetchHandler(recordingApi(echo));
  t.is((await handler(request)).status, 500);
  t.is((await handler(copy)).status, 200);
});

test('an endless body is canceled when it exceeds the limit', async (t) => {
  let cancelled = false;
  const body = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(600)),
    cancel() {
      cancelled = true;
    },
  });
  const request = new Request(url, { method: 'POST', body, duplex: 'half' });
  t.is((await fetchHandler(recordingApi(echo))(request)).status, 413);
  t.true(cancelled);
});

test('a client that disconnects in the middle of its body: reading rejects', async (t) => {
  const client = new AbortController();
  const body = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(3)) });
  const request = new Request(url, { method: 'POST', body, duplex: 'half', signal: client.signal });
  let outcome: unknown;
  const api = recordingApi(async ({ body }) => {
    if ('parsed' in body) throw new Error('the body must not be parsed');
    outcome = await body.read(10).catch((error: Error) => error.name);
    return json(200, {});
  });
  const handled = fetchHandler(api)(request);
  client.abort();
  await handled;
  t.is(outcome, 'AbortError');
});

test('neither the handler nor its imports use Node APIs', async (t) => {
  const seen = new Set<string>();
  const walk = async (file: URL): Promise<void> => {
    if (seen.has(file.href)) return;
    seen.add(file.href);
    const text = await readFile(file, 'utf8');
    t.notRegex(text, /\b(Buffer|process|setImmediate|require)\b/, file.pathname);
    for (const [, from = ''] of text.matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g)) {
      t.regex(from, /^\.\.?\//, `${file.pathname} imports ${from}`);
      await walk(new URL(from, file));
    }
  };
  await walk(new URL('./index.js', import.meta.url));
  t.true(seen.size >= 7);
});
