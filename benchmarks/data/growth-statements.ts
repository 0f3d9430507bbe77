import { physicalName } from '../../adapters/knex/identifiers.js';
import { entriesTablesOf, entryDigest } from '../../adapters/knex/schema/entries-tables.js';
import type { OrganizationFixture } from './organization.js';

/** SQL expressions for the values of generated rows. The database generates the rows itself: a million take seconds. */
export interface SqlDialect {
  /** The id of the `n`th record of a kind. */
  id(kind: string, n: string): string;
  /** A point in time, one minute later for each row. */
  time(n: string): string;
  hex(n: string, length: number): string;
  flag(value: boolean): string;
  /** One of a list of texts. */
  pick(list: readonly string[], n: string): string;
  /** A table `s` with the column `n` from 1 to the count. */
  series(count: number): string;
}

export const postgresDialect: SqlDialect = {
  id: (kind, n) => `('01920000-${kind}-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`,
  time: (n) => `timestamptz '2024-01-01 09:30:00Z' + ${n} * interval '1 minute'`,
  hex: (n, length) => `lpad(to_hex(${n}), ${length}, '0')`,
  flag: String,
  pick: (list, n) => `(array[${list.map((text) => `'${text}'`).join(', ')}])[1 + ${n} % ${list.length}]`,
  series: (count) => `generate_series(1, ${count}) s(n)`,
};

export const sqliteDialect: SqlDialect = {
  id: (kind, n) => `'01920000-${kind}-7000-8000-' || printf('%012x', ${n})`,
  time: (n) => `strftime('%Y-%m-%dT%H:%M:%fZ', 1704101400 + ${n} * 60, 'unixepoch')`,
  hex: (n, length) => `printf('%0${length}x', ${n})`,
  flag: (value) => String(Number(value)),
  pick: (list, n) => `json_extract('${JSON.stringify(list)}', '$[' || (${n} % ${list.length}) || ']')`,
  series: (count) =>
    `(with recursive s(n) as (select 1 union all select n + 1 from s where n < ${count}) select n from s) s`,
};

/** Only the newest builds have a job, and the newest of these jobs wait for agents: only the number of builds grows. */
export const buildsWithJobs = 10_000;
export const waitingBuilds = 200;

/** Statements that insert a number of builds into one pipeline. The organization must exist. */
export function growthStatements(
  count: number,
  fixture: OrganizationFixture,
  prefix: string,
  dialect: SqlDialect,
): string[] {
  const [pipeline] = fixture.pipelines;
  const name = (table: string) => `"${physicalName(prefix, table)}"`;
  const [step] = pipeline?.steps ?? [];
  if (pipeline === undefined || step === undefined) throw new TypeError('The organization has no pipeline');
  const text = (value: string) => `'${value.replaceAll("'", "''")}'`;
  const ids = fixture.users.map(({ id }) => id);
  const waiting = `n > ${count - waitingBuilds}`;
  const insert = (table: string, cells: Readonly<Record<string, string>>, from: string) =>
    `insert into ${name(table)} (${Object.keys(cells)
      .map((column) => `"${column}"`)
      .join(', ')}) select ${Object.values(cells).join(', ')} from ${from}`;
  const cast = dialect === postgresDialect ? '::uuid' : '';
  const build = {
    id: dialect.id('0020', 'n'),
    version: '1',
    organization_id: `${text(pipeline.organization_id)}${cast}`,
    pipeline_id: `${text(pipeline.id)}${cast}`,
    number: 'n',
    state: `case when ${waiting} then 'scheduled' when n % 10 < 7 then 'passed' else 'failed' end`,
    message: `'Build ' || n`,
    commit: dialect.hex('n * 1031', 40),
    branch: `case when n % 5 < 2 then 'main' else 'topic/' || (n % 97) end`,
    env: text('{"NODE_ENV":"test"}'),
    source: text('api'),
    creator_id: `(${dialect.pick(ids, 'n')})${cast}`,
    meta_data: `'{"release":"v' || (n % 20) || '"}'`,
    clean_checkout: dialect.flag(false),
    created_at: dialect.time('n'),
    scheduled_at: dialect.time('n'),
    started_at: `case when ${waiting} then null else ${dialect.time('n')} end`,
    finished_at: `case when ${waiting} then null else ${dialect.time('n')} end`,
  };
  const job = {
    id: dialect.id('0021', 'b.number'),
    version: '1',
    organization_id: 'b.organization_id',
    pipeline_id: 'b.pipeline_id',
    build_id: 'b.id',
    build_number: 'b.number',
    pipeline_slug: text(pipeline.slug),
    position: '0',
    type: text('script'),
    name: text(step.name ?? ''),
    step_key: text(step.key ?? ''),
    step_id: `${text(step.id)}${cast}`,
    signature: text(JSON.stringify(step.signature)),
    agent_query_rules: text(JSON.stringify(step.agent_query_rules)),
    state: 'b.state',
    command: text(step.command ?? ''),
    soft_fail: text('false'),
    soft_failed: dialect.flag(false),
    automatic_retry: text('[]'),
    continue_on_failure: dialect.flag(false),
    cluster_id: `${text(pipeline.cluster_id ?? '')}${cast}`,
    cluster_queue_id: `${text(fixture.queue.id)}${cast}`,
    retried: dialect.flag(false),
    created_at: 'b.created_at',
    scheduled_at: 'b.created_at',
    runnable_at: 'b.created_at',
    started_at: 'b.started_at',
    finished_at: 'b.finished_at',
  };
  const digests = Array.from({ length: 20 }, (_, n) => entryDigest('release', `v${n}`));
  return [
    insert('builds', build, dialect.series(count)),
    insert('jobs', job, `${name('builds')} b where b.number > ${count - buildsWithJobs}`),
    ...entriesTablesOf('build').map((entriesTable) =>
      insert(
        entriesTable.name,
        {
          record_id: 'b.id',
          digest: dialect.pick(digests, 'b.number'),
          ...Object.fromEntries(entriesTable.copiedColumns.map((column) => [column, `b."${column}"`])),
        },
        `${name('builds')} b`,
      ),
    ),
    `insert into ${name('sequences')} ("name", "value") values ('build.number/${pipeline.id}', ${count})`,
  ];
}
