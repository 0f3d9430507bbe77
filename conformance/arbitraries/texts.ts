import fc from 'fast-check';

/** Texts that databases, encodings and patterns are known to handle wrongly. */
export const hostileTexts: readonly string[] = [
  '',
  ' ',
  'a',
  'A',
  'main',
  'Main',
  "it's",
  '"quoted"',
  '\\',
  '%',
  '_',
  'a%b',
  '?1 $1 :x @y',
  "'; drop table builds; --",
  'null',
  '0',
  '007',
  '1e3',
  '\u0001\u001f\u007f',
  '\t\r\n',
  '\u0085\u2028\u2029',
  '\ufeffmark',
  '\uffff',
  '\uff5e',
  '\u{1f600}',
  '\u{10ffff}',
  'é',
  'e\u0301',
  'İI ıi ßSS',
  '[1,2]',
  '{"a":1}',
  'x'.repeat(300),
];

/** Any text that a row can hold: without NUL and lone surrogates (decisions 1). */
export const anyText = (): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...hostileTexts) },
    {
      weight: 1,
      arbitrary: fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replaceAll('\0', '')),
    },
  );
