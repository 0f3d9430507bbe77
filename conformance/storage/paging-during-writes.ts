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

/** The whole numbers from one to another, both included. */
const range = (least: number, most: number): number[] =>
  Array.from({ length: most - least + 1 }, (_, index) => least + index);

/** A list that others add to: the number of a record says when it was made. */
interface GrowingList {
  readonly name: string;
  record(number: number): { readonly entity: 'cluster' | 'build'; readonly row: AnyRow };
  find(storage: Storage, offset: number, limit: number): ReturnType<Storage['find']>;
  /** The ids of so many records, in the order of the list. */
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

/** So many records are there at first, and so many come while the list is read. */
const initialCount = 12;
const concurrentCount = 36;

/**
 * A page is a piece of the list as it was at one moment, between those at which it was asked for and answered. Whoever walks
 * from page to page misses nothing that was there from the beginning, whatever comes meanwhile.
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
      ok(total >= least && total <= begun, `a total of ${total}, when there were ${least} to ${begun}`);
      const found = stamps.map(({ id }) => id);
      // Its total may have been counted a moment before or after.
      const possible = range(least, begun).map((count) => ({
        found: order(ids.slice(0, count)).slice(offset, offset + limit),
        more: count > offset + limit,
      }));
      if (possible.some((one) => isDeepStrictEqual(one, { found, more }))) return { found, more };
      deepStrictEqual({ found, more }, possible[0], `at no moment was that the page at ${offset}`);
      return { found, more };
    };
    const walk = async (limit: number) => {
      do {
        const seen = new Set<string>();
        for (let offset = 0, more = true; more; offset += limit) {
          const { found, more: hasMore } = await page(offset, limit);
          for (const id of found) seen.add(id);
          more = hasMore;
        }
        for (const id of ids.slice(0, initialCount))
          ok(seen.has(id), `${id} was there from the beginning, and on no page`);
      } while (done < initialCount + concurrentCount);
    };
    await Promise.all([write(), walk(3), walk(5)]);
    await walk(7);
  });

export const pagingCases: readonly StorageCase[] = [pagingCase(oldestFirst), pagingCase(newestFirst)];
