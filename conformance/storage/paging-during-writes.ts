import { deepStrictEqual, ok } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import type { Storage } from '../../core/ports/index.js';
import { idOf } from '../arbitraries/ids.js';
import type { AnyRow } from '../arbitraries/rows.js';
import { entityRow, expectCommit, row } from './batch.js';
import { type StorageCase, storageCase } from './case.js';

const organization = idOf(77);
const pipeline = idOf(88);
const time = (second: number): string => `2026-01-31T09:30:${String(second).padStart(2, '0')}.000Z`;

/** The integers from `first` to `last`, both included. */
const range = (least: number, most: number): number[] =>
  Array.from({ length: most - least + 1 }, (_, index) => least + index);

/** A list that grows during the test. The number of a record gives its order of creation. */
interface GrowingList {
  readonly name: string;
  record(number: number): { readonly entity: 'cluster' | 'build'; readonly row: AnyRow };
  find(storage: Storage, offset: number, limit: number): ReturnType<Storage['find']>;
  /** The ids of the first `count` records, in the order of the list. */
  order(ids: readonly string[]): readonly string[];
}

const oldestFirst: GrowingList = {
  name: 'oldest-first',
  record: (number) => ({
    entity: 'cluster',
    row: row('cluster', number, { organization_id: organization, name: `cluster-${number}`, created_at: time(number) }),
  }),
  find: (storage, offset, limit) =>
    storage.find('cluster.inOrganization', { organization }, { offset, limit, countUpTo: 1_000 }),
  order: (ids) => ids,
};

const newestFirst: GrowingList = {
  name: 'newest-first',
  record: (number) => ({
    entity: 'build',
    row: row('build', number, {
      organization_id: organization,
      pipeline_id: pipeline,
      number,
      created_at: time(number),
    }),
  }),
  find: (storage, offset, limit) => storage.find('build.ofPipeline', { pipeline }, { offset, limit, countUpTo: 1_000 }),
  order: (ids) => ids.toReversed(),
};

/** Number of records before the reads, and number of records created during the reads. */
const initialCount = 12;
const concurrentCount = 36;

/**
 * Each page must equal a page of the list at one point in time between the start and the end of its read. A client that reads page
 * after page gets every record that existed before the first read.
 */
const pagingCase = ({ name, record, find, order }: GrowingList): StorageCase =>
  storageCase(`find.pages-while-others-write.${name}`, ['storage: find', 'decisions 3'], async (harness) => {
    const storage = await harness.storage();
    const ids = Array.from({ length: initialCount + concurrentCount }, (_, index) => idOf(index + 1));
    const add = async (number: number) => {
      const { entity, row: added } = record(number);
      await expectCommit(storage, { insert: [entityRow(entity, added)] });
    };
    for (let number = 1; number <= initialCount; number += 1) await add(number);
    let begun = initialCount;
    let done = initialCount;
    const write = async () => {
      while (begun < initialCount + concurrentCount) {
        begun += 1;
        await add(begun);
        done = begun;
      }
    };
    const page = async (offset: number, limit: number) => {
      const least = done;
      const { stamps, more, total = -1 } = await find(storage, offset, limit);
      ok(total >= least && total <= begun, `a total of ${total}, but there were ${least} to ${begun} records`);
      const found = stamps.map(({ id }) => id);
      // The total may have been counted shortly before or after the page.
      const possible = range(least, begun).map((count) => ({
        found: order(ids.slice(0, count)).slice(offset, offset + limit),
        more: count > offset + limit,
      }));
      if (possible.some((one) => isDeepStrictEqual(one, { found, more }))) return { found, more };
      deepStrictEqual({ found, more }, possible[0], `the list never had this page at offset ${offset}`);
      return { found, more };
    };
    const walk = async (limit: number) => {
      do {
        const foundIds = new Set<string>();
        for (let offset = 0, more = true; more; offset += limit) {
          const { found, more: hasMore } = await page(offset, limit);
          for (const id of found) foundIds.add(id);
          more = hasMore;
        }
        for (const id of ids.slice(0, initialCount))
          ok(foundIds.has(id), `${id} existed before the first read but is on no page`);
      } while (done < initialCount + concurrentCount);
    };
    await Promise.all([write(), walk(3), walk(5)]);
    await walk(7);
  });

export const pagingCases: readonly StorageCase[] = [pagingCase(oldestFirst), pagingCase(newestFirst)];
