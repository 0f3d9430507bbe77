import { tableOf } from '../../adapters/knex/identifiers.js';
import { entriesTablesOf, entryDigests } from '../../adapters/knex/schema/entries-tables.js';
import { type Column, type EntityName, entities, type Row } from '../../core/model/index.js';
import { buildsOf } from './builds.js';
import type { OrganizationFixture } from './organization.js';
import type { Size } from './size.js';

/** Rows for one table, which is named without its prefix. JSON columns are text. */
export interface RowBatch {
  readonly table: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** All rows of a size, in batches that fit into one statement. */
export function* rowBatches(size: Size, fixture: OrganizationFixture, length = 1_000): Generator<RowBatch> {
  yield rowBatch('organization', [fixture.organization]);
  yield rowBatch('user', fixture.users);
  yield rowBatch('member', fixture.members);
  yield rowBatch('accessToken', [fixture.token]);
  yield rowBatch('cluster', [fixture.cluster]);
  yield rowBatch('queue', [fixture.queue]);
  yield rowBatch('agentToken', [fixture.agentToken]);
  yield rowBatch('agent', fixture.agents);
  yield rowBatch('pipeline', fixture.pipelines);
  yield {
    table: 'sequences',
    rows: fixture.pipelines.map(({ id }, index) => ({ name: `build.number/${id}`, value: size.pipelines[index] ?? 0 })),
  };
  let builds: Row<'build'>[] = [];
  let jobs: Row<'job'>[] = [];
  for (const generated of buildsOf(size, fixture)) {
    builds.push(generated.build);
    jobs.push(...generated.jobs);
    if (builds.length < length) continue;
    yield* buildRowBatches(builds, jobs);
    [builds, jobs] = [[], []];
  }
  yield* buildRowBatches(builds, jobs);
}

function* buildRowBatches(builds: readonly Row<'build'>[], jobs: readonly Row<'job'>[]): Generator<RowBatch> {
  if (builds.length === 0) return;
  yield rowBatch('build', builds);
  for (const entriesTable of entriesTablesOf('build')) {
    const rows = builds.flatMap((build) => {
      const record = build as unknown as Record<string, unknown>;
      const copied = Object.fromEntries(entriesTable.copiedColumns.map((column) => [column, record[column]]));
      return entryDigests(record[entriesTable.column]).map((digest) => ({ record_id: build.id, digest, ...copied }));
    });
    yield { table: entriesTable.name, rows };
  }
  yield rowBatch('job', jobs);
}

const rowBatch = <E extends EntityName>(entity: E, rows: readonly Row<E>[]): RowBatch => ({
  table: tableOf(entity),
  rows: rows.map((row) => encodeRow(entity, row)),
});

function encodeRow(entity: EntityName, row: object): Record<string, unknown> {
  const columns: Readonly<Record<string, Column>> = entities[entity].columns;
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      columns[name]?.kind === 'json' && value !== null ? JSON.stringify(value) : value,
    ]),
  );
}
