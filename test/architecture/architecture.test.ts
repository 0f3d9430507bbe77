import { readFileSync } from 'node:fs';
import test from 'ava';
import { importCycles, imports, sourceFiles } from './imports.js';
import { isDevelopment, isIn, layers, packagePlaces } from './layers.js';

const parts = Object.keys(layers).sort((one, other) => other.length - one.length);
const partOf = (file: string): string => parts.find((part) => isIn(file, part)) ?? '';
const product = imports.filter(({ from }) => !isDevelopment(from));

test('every file of the product belongs to a part that has rules', (t) => {
  t.deepEqual(
    sourceFiles.filter((file) => !isDevelopment(file) && partOf(file) === ''),
    [],
  );
});

test('every import names a file that exists', (t) => {
  const known = new Set(sourceFiles);
  t.deepEqual(
    product.filter(({ file }) => file !== undefined && !known.has(file)),
    [],
  );
});

test('parts import what they may', (t) => {
  const wrong = product.flatMap(({ from, file }) => {
    if (file === undefined) return [];
    const part = partOf(from);
    const allowed = partOf(file) === part || (layers[part] ?? []).some((place) => isIn(file, place));
    return allowed ? [] : [`${from} imports ${file}`];
  });
  t.deepEqual(wrong, []);
});

test('the product imports neither tests nor what serves development', (t) => {
  t.deepEqual(
    product.flatMap(({ from, file }) => (file && isDevelopment(file) ? [`${from} imports ${file}`] : [])),
    [],
  );
});

test('packages are imported where they belong', (t) => {
  const wrong = product.flatMap(({ from, package: name }) => {
    const places = name === undefined ? undefined : packagePlaces[name];
    return places === undefined || places.some((place) => isIn(from, place)) ? [] : [`${from} imports ${name}`];
  });
  t.deepEqual(wrong, []);
});

test('no import cycles, type-only imports included', (t) => {
  t.deepEqual(
    importCycles().map((cycle) => cycle.join(' → ')),
    [],
  );
});

test('no entry but those of the suite loads the suite', (t) => {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
  for (const [name, entry] of Object.entries<{ default?: string }>(exports)) {
    if (entry.default === undefined || name.startsWith('./conformance')) continue;
    const start = entry.default.replace(/^\.\/dist\/(.*)\.js$/, '$1.ts');
    const loaded = new Set([start]);
    for (const file of loaded)
      for (const one of product) if (one.from === file && one.isLoaded && one.file) loaded.add(one.file);
    t.true(loaded.size > 1 || start.startsWith('adapters'), `${name}: ${start}`);
    t.deepEqual(
      [...loaded].filter((file) => isIn(file, 'conformance')),
      [],
      name,
    );
  }
});
