import type pg from 'pg';
import type { OrganizationFixture } from './organization.js';
import type { Size } from './size.js';

/** Statements for both databases that undo what the loads have created and canceled. */
export function restoreStatements({ pipelines, organization }: OrganizationFixture, size: Size): readonly string[] {
  const last = pipelines.at(-1)?.id;
  const from = (size.pipelines.at(-1) ?? 0) - size.cancelable;
  const added = pipelines
    .map(({ id }, index) => `(pipeline_id = '${id}' and number > ${size.pipelines[index]})`)
    .join(' or ');
  const addedBuilds = `select id from millrace_builds where ${added}`;
  const canceledBuilds = `pipeline_id = '${last}' and state = 'canceled'`;
  return [
    `delete from millrace_jobs where build_id in (${addedBuilds})`,
    `delete from millrace_builds_meta_data where record_id in (${addedBuilds})`,
    `delete from millrace_builds where ${added}`,
    `delete from millrace_events where organization_id = '${organization.id}'`,
    // Versions are incremented, because a version must never have two contents (the render cache relies on it).
    `update millrace_jobs set state = 'scheduled', finished_at = null, version = version + 1 where ${canceledBuilds} and build_number > ${from}`,
    `update millrace_builds set state = 'scheduled', finished_at = null, cancel_reason = null, version = version + 1 where ${canceledBuilds} and number > ${from}`,
  ];
}

export async function restorePostgres(client: pg.Client, fixture: OrganizationFixture, size: Size): Promise<void> {
  for (const statement of restoreStatements(fixture, size)) await client.query(statement);
}
