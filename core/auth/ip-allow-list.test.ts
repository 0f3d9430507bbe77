import test from 'ava';
import fc from 'fast-check';
import { scaledRuns, seed } from '../../conformance/property-settings.js';
import { isIpAllowed, parseCidr } from './ip-allow-list.js';

const settings = { seed, numRuns: scaledRuns(2_000) };

const dotted = (address: number) => [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.');
/** Addresses near each other, so that blocks hit. */
const address = fc.oneof(
  fc.nat(2 ** 32 - 1),
  fc.nat(4_095).map((low) => 0x0a000000 + low),
);
const block = fc.record({ address, prefix: fc.option(fc.integer({ min: 0, max: 32 })) });
const written = ({ address: base, prefix }: { address: number; prefix: number | null }) =>
  dotted(base) + (prefix === null ? '' : `/${prefix}`);

/** Whether the first `prefix` bits agree, by division. */
const inBlock = (one: number, base: number, prefix: number) =>
  Math.floor(one / 2 ** (32 - prefix)) === Math.floor(base / 2 ** (32 - prefix));

test('an address is admitted if the leading bits of one of the blocks are its own', (t) => {
  const space = fc.constantFrom(' ', '  ', '\n', '\t');
  t.notThrows(() =>
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 4 }), space, address, (blocks, between, one) => {
        const allowed = blocks.map(written).join(between);
        const wanted = blocks.some(({ address: base, prefix }) => inBlock(one, base, prefix ?? 32));
        t.is(isIpAllowed(allowed, dotted(one)), wanted, `${dotted(one)} in ${allowed}`);
        t.is(isIpAllowed(allowed, `::ffff:${dotted(one)}`), wanted);
      }),
      settings,
    ),
  );
});

test('a block is read as it was written', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(block, (one) => {
        t.deepEqual(parseCidr(written(one)), { address: dotted(one.address), prefix: one.prefix ?? 32 });
      }),
      settings,
    ),
  );
});

for (const text of [
  '',
  '10.0.0',
  '10.0.0.256',
  '10.0.0.0/33',
  '10.0.0.0/-1',
  '10.0.0.0/',
  '10.0.0.0/08',
  '10.0.0.0/8/8',
  '010.0.0.1',
  '::1',
  '::1/128',
  '10.0.0.0/8,',
  'localhost',
  '10.0.0.0 /8',
  '0x0a.0.0.1',
]) {
  test(`${JSON.stringify(text)} is no block, and admits nobody`, (t) => {
    t.is(parseCidr(text), undefined);
    if (text !== '') for (const one of ['10.0.0.1', '0.0.0.0', '127.0.0.1']) t.false(isIpAllowed(text, one));
  });
}

test('no blocks allow every address; a block allows no address of another kind', (t) => {
  for (const one of ['10.0.0.1', '2001:db8::1', 'anything']) {
    t.true(isIpAllowed(null, one));
    t.true(isIpAllowed(' ', one));
  }
  for (const one of ['2001:db8::1', '::1', 'anything', '', '10.0.0.1, 10.0.0.2'])
    t.false(isIpAllowed('0.0.0.0/0', one));
  t.true(isIpAllowed('nonsense 10.0.0.0/8', '10.1.2.3'));
});
