import test from 'ava';
import { fakeService } from '../../adapters/fake/index.js';
import { memoryStorage } from '../../adapters/memory/index.js';
import { overrideStorage } from '../../conformance/service/storage-wrappers.js';
import type { ApiRequest, Storage } from '../ports/index.js';

/** A fake service over a storage that records the names of its calls and can call back before each. */
async function recordedService() {
  const calls: string[] = [];
  let before: (call: string) => void = () => {};
  const inner = memoryStorage();
  const recorded = <K extends 'find' | 'load' | 'commit'>(name: K): Storage[K] =>
    (async (...args: never[]) => {
      calls.push(name);
      before(name);
      return (inner[name] as (...args: never[]) => unknown)(...args);
    }) as Storage[K];
  const storage = overrideStorage(inner, {
    find: recorded('find'),
    load: recorded('load'),
    commit: recorded('commit'),
  });
  const service = await fakeService({ storage, cache: { renderings: 0, lookups: 0 } });
  calls.length = 0;
  const ask = (method: string, path: string, body: unknown, signal: AbortSignal) => {
    const request: ApiRequest = {
      method,
      target: `/v2/organizations/${service.organization}/${path}`,
      headers: { authorization: `Bearer ${service.token}` },
      remoteAddress: undefined,
      signal,
      body: { parsed: body },
    };
    return service.api.handle(request);
  };
  return {
    service,
    calls,
    ask,
    onCall: (callback: typeof before) => {
      before = callback;
    },
  };
}

const build = { commit: 'HEAD', branch: 'main' };

const path = 'pipelines/web/builds';

test('a command of a client that has left commits nothing', async (t) => {
  const { service, calls, ask } = await recordedService();
  const { status } = await ask('POST', path, build, AbortSignal.abort());
  t.is(status, 499);
  t.false(calls.includes('commit'));
  t.deepEqual(service.errors, []);
  await service.close();
});

test('a commit under way when the client leaves is finished', async (t) => {
  const { service, ask, onCall } = await recordedService();
  const client = new AbortController();
  onCall((call) => {
    if (call === 'commit') client.abort();
  });
  const { status, body } = await ask('POST', path, build, client.signal);
  t.is(status, 201);
  const { number } = JSON.parse(Buffer.concat(body).toString());
  const target = `/v2/organizations/${service.organization}/${path}/${number}`;
  t.is((await service.request('GET', target)).status, 200);
  await service.close();
});

test('a list for a client that leaves after its records are found is not loaded', async (t) => {
  const { service, calls, ask, onCall } = await recordedService();
  await ask('POST', path, build, new AbortController().signal);
  const client = new AbortController();
  onCall((call) => {
    if (call === 'find') client.abort();
  });
  const loads = async (signal: AbortSignal) => {
    calls.length = 0;
    const { status } = await ask('GET', 'builds', undefined, signal);
    return { status, loads: calls.filter((call) => call === 'load').length };
  };
  t.deepEqual(await loads(client.signal), { status: 499, loads: 0 });
  onCall(() => {});
  const served = await loads(new AbortController().signal);
  t.is(served.status, 200);
  t.true(served.loads > 0);
  await service.close();
});
