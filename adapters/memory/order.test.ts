import test from 'ava';
import { compareText } from './order.js';

test('order.text-by-code-point', (t) => {
  const texts = [
    '',
    'A',
    'a',
    'aa',
    'b',
    '\u{7f}',
    'é',
    '\u{d7ff}',
    '\u{e000}',
    '\u{ff5e}',
    '\u{ffff}',
    '\u{10000}',
    '\u{1f600}',
    '\u{10ffff}',
  ];
  for (const a of texts) {
    for (const b of texts) {
      t.is(Math.sign(compareText(a, b)), Buffer.compare(Buffer.from(a), Buffer.from(b)), JSON.stringify([a, b]));
    }
  }
});
