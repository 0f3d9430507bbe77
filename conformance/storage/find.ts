import { deepStrictEqual } from 'node:assert';
import fc from 'fast-check';
import { type QueryName, queryDefinition, queryNames } from '../../core/model/index.js';
import type { Storage } from '../../core/ports/index.js';
import { type Arguments, argumentsOf, windowOf } from '../arbitraries/arguments.js';
import { idOf } from '../arbitraries/ids.js';
import { assertProperty, sampleOne } from '../arbitraries/property.js';
import { type AnyRow, rowsOf } from '../arbitraries/rows.js';
import { entityRow, expectCommit, row } from './batch.js';
import { type StorageCase, type StorageHarness, storageCase } from './case.js';
import { expectedFound, expectedRows } from './reference-query.js';
import { expectSameRows } from './row-assertions.js';

const count = 40;

const pipeline = idOf(7);

/** Random values rarely produce several entries of which a record has only some. */
const everyEntry = storageCase('find.build.ofPipeline.every-entry', ['model: Filter'], async (harness) => {
  const storage = await harness.storage();
  const build = row('build', 1, { pipeline_id: pipeline, meta_data: { a: '1', b: '2', c: '' } });
  await expectCommit(storage, { insert: [entityRow('build', build)] });
  const found = async (meta_data: Readonly<Record<string, string>>) =>
    (await storage.find('build.ofPipeline', { pipeline, meta_data }, { offset: 0, limit: 1 })).stamps.length;
  for (const all of [{}, { a: '1' }, { c: '' }, { b: '2', a: '1' }, { a: '1', b: '2', c: '' }])
    deepStrictEqual(await found(all), 1, JSON.stringify(all));
  for (const some of [{ a: '1', b: '1' }, { a: '2', b: '2' }, { a: '1', d: '' }, { a: '1', toString: '2' }, { b: '' }])
    deepStrictEqual(await found(some), 0, JSON.stringify(some));
});

const suite = idOf(8);

/** Wildcards and escapes of databases are ordinary characters in a substring search. */
const noWildcards = storageCase('find.test.flaky.no-wildcards', ['model: Filter'], async (harness) => {
  const storage = await harness.storage();
  const names = ['a_b%c', 'axbyyc', 'a\\b', '[ab]*?', "it's"];
  const tests = names.map((name, index) =>
    row('test', index + 1, { suite_id: suite, identity: name, flaky: true, name, scope: '', location: '' }),
  );
  await expectCommit(storage, { insert: tests.map((one) => entityRow('test', one)) });
  for (const part of ['%', '_', 'a_b', 'A_B%', 'a%c', '\\', '\\_', '[ab]', '*', '?', '.', "'", "''"]) {
    const { stamps } = await storage.find('test.flaky', { suite, flaky: true, named: part }, { offset: 0, limit: 9 });
    const wanted = tests.filter(({ name }) => name.includes(part.toLowerCase())).map(({ id }) => id);
    deepStrictEqual(stamps.map(({ id }) => id).sort(), wanted.sort(), part);
  }
});

/** Times on a few days, with many equal times, and days without records between them. */
const crowdedTimes = [
  '2026-03-01T00:00:00.000Z',
  '2026-03-01T23:59:59.999Z',
  '2026-02-28T23:59:59.999Z',
  '2026-02-28T00:00:00.000Z',
  '2026-02-01T00:00:00.000Z',
  '2026-01-31T12:00:00.000Z',
  '2025-12-31T23:59:59.999Z',
  '0001-01-01T00:00:00.000Z',
  '0000-02-29T09:30:00.000Z',
];

/** Pages with a large offset. A storage may find them with counters instead of skipping rows. */
const farPages = storageCase('find.far-pages', ['storage: find', 'model: Tally'], async (harness) => {
  const storage = await harness.storage();
  const builds = Array.from({ length: 630 }, (_, index) =>
    row('build', index + 1, {
      // The order of the ids differs from the order of the times.
      id: idOf(((index * 263) % 630) + 1),
      organization_id: idOf(50 + (index % 2)),
      pipeline_id: pipeline,
      number: index,
      branch: index % 3 === 0 ? 'main' : 'other',
      created_at: crowdedTimes[index % crowdedTimes.length],
    }),
  );
  for (let from = 0; from < builds.length; from += 90)
    await expectCommit(storage, { insert: builds.slice(from, from + 90).map((build) => entityRow('build', build)) });
  const gone = builds.splice(100, 40);
  await expectCommit(storage, { remove: gone.map(({ id }) => ({ entity: 'build', id, version: 1 })) });
  for (const [name, args] of [
    ['build.ofPipeline', { pipeline }],
    ['build.ofPipeline', { pipeline, branch: ['other'] }],
    ['build.ofOrganizations', { organizations: [idOf(50)] }],
    ['build.ofOrganizations', { organizations: [idOf(51), idOf(50)] }],
  ] as const) {
    const matching = expectedRows(name, args, builds);
    for (let offset = 199; offset <= matching.length + 7; offset += 7) {
      const window = { offset, limit: 9, countUpTo: matching.length - (offset % 2) };
      deepStrictEqual(await storage.find(name, args, window), expectedFound(matching, window), `${name} at ${offset}`);
    }
  }
});

/** Compares every declared query with the reference: each filter alone, all pairs of filters, and random windows. */
const referenceCases: readonly StorageCase[] = queryNames.flatMap((name) => {
  const filters = Object.keys(queryDefinition(name).filters ?? {});
  const pairs = filters.flatMap((first, index) => filters.slice(index + 1).map((second) => [first, second]));
  const cites = ['storage: find', 'storage: select', 'model: queries', 'decisions 7'];
  return [
    storageCase(`find.${name}.scope`, cites, (harness) => compareWithReference(harness, name, [[]], 20)),
    ...(filters.length === 0
      ? []
      : [
          storageCase(`find.${name}.each-filter`, cites, (harness) =>
            compareWithReference(
              harness,
              name,
              filters.map((filter) => [filter]),
              15,
            ),
          ),
        ]),
    ...(pairs.length === 0
      ? []
      : [storageCase(`find.${name}.pairs`, cites, (harness) => compareWithReference(harness, name, pairs, 6))]),
    ...(filters.length < 3
      ? []
      : [
          storageCase(`find.${name}.all-filters`, cites, (harness) =>
            compareWithReference(harness, name, [filters], 15),
          ),
        ]),
  ];
});

export const findCases: readonly StorageCase[] = [...referenceCases, farPages, everyEntry, noWildcards];

/** The rows are generated once. Arguments and windows are generated for each set of filters. */
async function compareWithReference(
  harness: StorageHarness,
  name: QueryName,
  sets: readonly (readonly string[])[],
  defaultRuns: number,
): Promise<void> {
  const storage = await harness.storage();
  const query = queryDefinition(name);
  const rows = sampleOne(rowsOf(query.entity, count));
  await expectCommit(storage, { insert: rows.map((row) => entityRow(query.entity, row)) });
  for (const filters of sets) {
    await assertProperty(
      fc.tuple(argumentsOf(query, filters, rows), windowOf(count)),
      defaultRuns,
      async ([args, window]) => {
        const matching = expectedRows(name, args, rows);
        const { length } = matching;
        const full = { offset: 0, limit: length, countUpTo: length };
        const short = { offset: 0, limit: Math.max(0, length - 1), countUpTo: Math.max(0, length - 1) };
        for (const requestedWindow of [window, full, short]) {
          deepStrictEqual(
            await storage.find(name, args as never, requestedWindow),
            expectedFound(matching, requestedWindow),
          );
        }
        await expectSameSelection(storage, name, args, matching.slice(0, window.limit));
      },
    );
  }
}

/** `select` returns the first rows in the order of the query. The `load` cases check relations. */
async function expectSameSelection(
  storage: Storage,
  name: QueryName,
  args: Arguments,
  expected: readonly AnyRow[],
): Promise<void> {
  const { one, many } = queryDefinition(name);
  const selected: Record<string, unknown>[] = await storage.select(name, args as never, expected.length);
  const plain = selected.map((row) => {
    const columns = { ...row };
    for (const relation of [...Object.keys(one ?? {}), ...Object.keys(many ?? {})]) delete columns[relation];
    return columns;
  });
  expectSameRows(plain, expected);
}
