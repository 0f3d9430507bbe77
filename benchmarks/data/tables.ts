import { tableOf } from '../../adapters/knex/names.js';
import { entriesTablesOf, entryDigests } from '../../adapters/knex/schema/entries.js';
import { type Column, type EntityName, entities, type Row } from '../../core/model/index.js';
import { buildsOf } from './builds.js';
import type { Organization } from './organization.js';
import type { Size } from './size.js';

/** Rows for one table, named without its prefix; JSON columns are text already. */
export interface Part {
  readonly table: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** All rows of a size, cut into parts that fit into a statement. */
export function* partsOf(size: Size, world: Organization, length = 1_000): Generator<Part> {
  yield part('organization', [world.organization]);
  yield part('user', world.users);
  yield part('member', world.members);
  yield part('accessToken', [world.token]);
  yield part('cluster', [world.cluster]);
  yield part('queue', [world.queue]);
  yield part('agentToken', [world.agentToken]);
  yield part('agent', world.agents);
  yield part('pipeline', world.pipelines);
  yield {
    table: 'sequences',
    rows: world.pipelines.map(({ id }, place) => ({ name: `build.number/${id}`, value: size.pipelines[place] ?? 0 })),
  };
  let builds: Row<'build'>[] = [];
  let jobs: Row<'job'>[] = [];
  for (const made of buildsOf(size, world)) {
    builds.push(made.build);
    jobs.push(...made.jobs);
    if (builds.length < length) continue;
    yield* partsOfBuilds(builds, jobs);
    [builds, jobs] = [[], []];
  }
  yield* partsOfBuilds(builds, jobs);
}

function* partsOfBuilds(builds: readonly Row<'build'>[], jobs: readonly Row<'job'>[]): Generator<Part> {
  if (builds.length === 0) return;
  yield part('build', builds);
  for (const side of entriesTablesOf('build')) {
    const rows = builds.flatMap((build) => {
      const record = build as unknown as Record<string, unknown>;
      const copied = Object.fromEntries(side.copied.map((column) => [column, record[column]]));
      return entryDigests(record[side.column]).map((digest) => ({ record_id: build.id, digest, ...copied }));
    });
    yield { table: side.name, rows };
  }
  yield part('job', jobs);
}

const part = <E extends EntityName>(entity: E, rows: readonly Row<E>[]): Part => ({
  table: tableOf(entity),
  rows: rows.map((row) => encoded(entity, row)),
});

function encoded(entity: EntityName, row: object): Record<string, unknown> {
  const columns: Readonly<Record<string, Column>> = entities[entity].columns;
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      columns[name]?.kind === 'json' && value !== null ? JSON.stringify(value) : value,
    ]),
  );
}
