import test from 'ava';
import fc from 'fast-check';
import { encodeValue, isId, parseTime } from './values.js';

test('values.times', (t) => {
  const times = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(times, (date) => {
      const iso = date.toISOString();
      // The server leaves out zeros at the end.
      const fraction = iso.slice(20, 23).replace(/0+$/, '');
      t.is(parseTime(`${iso.slice(0, 10)} ${iso.slice(11, 19)}${fraction === '' ? '' : `.${fraction}`}+00`), iso);
    }),
  );
});

test('values.times-of-other-zones', (t) => {
  t.is(parseTime('2026-01-31 10:30:00.12+01'), '2026-01-31T09:30:00.120Z');
  t.is(parseTime('2026-01-31 15:15:00+05:45'), '2026-01-31T09:30:00.000Z');
  t.is(parseTime('2025-12-31 20:00:00.001-04'), '2026-01-01T00:00:00.001Z');
  t.throws(() => parseTime('Sat Jan 31 09:30:00 2026 UTC'), { instanceOf: TypeError, message: /DateStyle/ });
});

test('values.year-zero', (t) => {
  t.is(encodeValue('0000-02-29T00:00:00.000Z', 'time'), '0001-02-29T00:00:00.000Z BC');
  t.is(parseTime('0001-02-29 00:00:00+00 BC'), '0000-02-29T00:00:00.000Z');
});

test('values.what-is-no-id-equals-none', (t) => {
  t.true(isId('01990000-0000-7000-8000-000000000001'));
  for (const other of ['', '01990000-0000-7000-8000-00000000000', '01990000-0000-7000-8000-00000000000A', null, 1]) {
    t.false(isId(other));
    t.is(encodeValue(other, 'id'), null);
  }
  t.is(encodeValue(1e20, 'integer'), null);
  t.is(encodeValue(0.5, 'integer'), null);
});
