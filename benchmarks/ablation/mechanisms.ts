import type { KnexTuning } from '../../adapters/knex/index.js';
import type { CacheOptions } from '../../core/options.js';
import { type LoadName, loadNames, reads, writes } from './loads.js';

/** The switches that a server of this benchmark is started with. */
export interface Switches {
  readonly cache?: CacheOptions;
  readonly tuning?: KnexTuning;
  /** Copies the chunks of a response body into one buffer before it is sent. */
  readonly joinBody?: boolean;
}

/** A cache, a coalescer or a second code path. It costs code, so its gain has to be measured. */
export interface Mechanism {
  readonly name: string;
  /** Source files that only this mechanism needs; a file that two mechanisms share is listed for both. */
  readonly files: readonly string[];
  readonly databases: readonly ('PostgreSQL' | 'SQLite')[];
  /** The switches that turn it off. */
  readonly off: Switches;
  /** The loads whose cost it may change. */
  readonly loads: readonly LoadName[];
}

const both = ['PostgreSQL', 'SQLite'] as const;

export const mechanisms: readonly Mechanism[] = [
  {
    name: 'lookup cache',
    files: ['core/cache/lookup-cache.ts', 'core/cache/ttl-cache.ts'],
    databases: both,
    off: { cache: { lookups: 0 } },
    loads: loadNames,
  },
  {
    name: 'render cache',
    files: ['core/cache/render-cache.ts', 'core/cache/render-uncached.ts'],
    databases: both,
    off: { cache: { renderings: 0 } },
    loads: reads,
  },
  {
    name: 'body in chunks',
    files: ['core/http/chunks.ts'],
    databases: both,
    off: { joinBody: true },
    loads: ['list, page 1, the same', 'list, different pages', 'list agents'],
  },
  {
    name: 'coalesced reads',
    files: [
      'adapters/knex/coalesced-reads.ts',
      'adapters/knex/coalescer.ts',
      'adapters/knex/compile/unique-key-lookup.ts',
    ],
    databases: both,
    off: { tuning: { coalesceReads: false } },
    loads: loadNames,
  },
  {
    name: 'batched sequences',
    files: ['adapters/knex/sequence-allocator.ts', 'adapters/knex/coalescer.ts'],
    databases: both,
    off: { tuning: { batchSequences: false } },
    loads: ['create'],
  },
  {
    name: 'shared read connections',
    files: ['adapters/knex/connection-sharer.ts'],
    databases: ['PostgreSQL'],
    off: { tuning: { maxPipelined: 1 } },
    loads: reads,
  },
  {
    name: 'far pages by day counters',
    files: ['adapters/knex/compile/counter-query.ts'],
    databases: both,
    off: { tuning: { seekDeepPages: false } },
    loads: ['list, far page'],
  },
  {
    name: 'grouped commits',
    files: ['adapters/knex/sqlite/write-queue.ts'],
    databases: ['SQLite'],
    off: { tuning: { groupCommits: false } },
    loads: writes,
  },
  {
    name: 'counters over 12 rows',
    files: [],
    databases: ['PostgreSQL'],
    off: { tuning: { counterSlots: 1 } },
    loads: writes,
  },
];
