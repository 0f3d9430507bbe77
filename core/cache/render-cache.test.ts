import test from 'ava';
import fc from 'fast-check';
import { propertyParameters } from '../../conformance/property-settings.js';
import { makeRenderCache } from './render-cache.js';

/** A stamp never names two contents. */
const bytesOf = (id: number, version: number) => Buffer.alloc((id * 997 + version * 313) % 3_000, `${id}/${version} `);

const step = fc.record({
  put: fc.boolean(),
  namespace: fc.constantFrom('a', 'b'),
  id: fc.nat({ max: 12 }),
  version: fc.integer({ min: 1, max: 3 }),
});

test('a rendering is found as it was put there at that version, and the cache takes no more bytes than it may', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(
        fc.constantFrom(0, 1_000, 10_000, 1_000_000),
        fc.array(step, { size: 'max', maxLength: 200 }),
        (limit, steps) => {
          const cache = makeRenderCache(limit);
          const put = new Map<string, Uint8Array>();
          for (const { put: puts, namespace, id, version } of steps) {
            const key = `${namespace} ${id} ${version}`;
            if (puts) {
              const bytes = put.get(key) ?? bytesOf(id, version);
              put.set(key, bytes);
              cache.namespace(namespace).put(String(id), { version, bytes });
            } else {
              const found = cache.namespace(namespace).get({ id: String(id), version });
              if (found) t.true(found.bytes === put.get(key));
              if (limit === 0) t.is(found, undefined);
            }
            t.true(cache.size <= limit, `${cache.size} bytes of ${limit}`);
          }
        },
      ),
      propertyParameters(300),
    ),
  );
});

test('with room for all of them, every rendering stays; one that is asked for all the time stays whatever else comes', (t) => {
  const namespace = makeRenderCache(1_000_000).namespace('builds');
  const put = (id: string) => namespace.put(id, { version: 1, bytes: Buffer.alloc(1_000) });
  for (let id = 0; id < 300; id += 1) put(String(id));
  for (let id = 0; id < 300; id += 1) t.truthy(namespace.get({ id: String(id), version: 1 }));
  put('asked for');
  for (let id = 1_000; id < 5_000; id += 1) {
    put(String(id));
    t.truthy(namespace.get({ id: 'asked for', version: 1 }));
  }
  t.is(namespace.get({ id: '0', version: 1 }), undefined);
});

test('a rendering of more than half of the bytes is not kept, and evicts nothing', (t) => {
  const namespace = makeRenderCache(10_000).namespace('builds');
  namespace.put('small', { version: 1, bytes: Buffer.alloc(100) });
  namespace.put('large', { version: 1, bytes: Buffer.alloc(5_000) });
  t.is(namespace.get({ id: 'large', version: 1 }), undefined);
  t.truthy(namespace.get({ id: 'small', version: 1 }));
});
