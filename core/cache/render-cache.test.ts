import test from 'ava';
import fc from 'fast-check';
import { propertyParameters } from '../../conformance/property-settings.js';
import { makeRenderCache } from './render-cache.js';

/** A stamp never names two contents. */
const bytesOf = (id: number, version: number) => Buffer.alloc((id * 997 + version * 313) % 3_000, `${id}/${version} `);

const step = fc.record({
  put: fc.boolean(),
  shelf: fc.constantFrom('a', 'b'),
  id: fc.nat({ max: 12 }),
  version: fc.integer({ min: 1, max: 3 }),
});

test('what is kept is what was put there at that version, and takes no more room than was given', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(
        fc.constantFrom(0, 1_000, 10_000, 1_000_000),
        fc.array(step, { size: 'max', maxLength: 200 }),
        (limit, steps) => {
          const kept = makeRenderCache(limit);
          const put = new Map<string, Uint8Array>();
          for (const { put: puts, shelf, id, version } of steps) {
            const key = `${shelf} ${id} ${version}`;
            if (puts) {
              const bytes = put.get(key) ?? bytesOf(id, version);
              put.set(key, bytes);
              kept.namespace(shelf).put(String(id), { version, bytes });
            } else {
              const found = kept.namespace(shelf).get({ id: String(id), version });
              if (found) t.true(found.bytes === put.get(key));
              if (limit === 0) t.is(found, undefined);
            }
            t.true(kept.size <= limit, `${kept.size} bytes of ${limit}`);
          }
        },
      ),
      propertyParameters(300),
    ),
  );
});

test('with room for all of them, everything stays; what is asked for all the time stays whatever else comes', (t) => {
  const shelf = makeRenderCache(1_000_000).namespace('builds');
  const put = (id: string) => shelf.put(id, { version: 1, bytes: Buffer.alloc(1_000) });
  for (let id = 0; id < 300; id += 1) put(String(id));
  for (let id = 0; id < 300; id += 1) t.truthy(shelf.get({ id: String(id), version: 1 }));
  put('asked for');
  for (let id = 1_000; id < 5_000; id += 1) {
    put(String(id));
    t.truthy(shelf.get({ id: 'asked for', version: 1 }));
  }
  t.is(shelf.get({ id: '0', version: 1 }), undefined);
});

test('what needs more than half of the room is not kept, and drives out nothing', (t) => {
  const shelf = makeRenderCache(10_000).namespace('builds');
  shelf.put('small', { version: 1, bytes: Buffer.alloc(100) });
  shelf.put('large', { version: 1, bytes: Buffer.alloc(5_000) });
  t.is(shelf.get({ id: 'large', version: 1 }), undefined);
  t.truthy(shelf.get({ id: 'small', version: 1 }));
});
