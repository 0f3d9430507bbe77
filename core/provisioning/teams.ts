import { type Row, type SuiteAccess, slugOf } from '../model/index.js';
import { audienceOf } from '../model/teams.js';
import type { FixtureRecord } from './fixture-schema.js';
import type { PlanDraft } from './plan-draft.js';
import { joinPath } from './problems.js';

export function planSuite(record: FixtureRecord<'suites'>, path: string, draft: PlanDraft) {
  const organization = draft.referenceIndex.organization(record.organization, `${path}.organization`);
  const row = draft.newRow<'suite'>({
    id: draft.idFor('suite', record.id, path),
    organization_id: organization?.id ?? '',
    slug: record.slug,
    name: record.name ?? record.slug,
    default_branch: record.default_branch ?? null,
    collector: record.collector ?? null,
    created_at: record.created_at ?? draft.now,
  });
  if (organization) draft.referenceIndex.addSuite(row, path);
  draft.insert('suite', row);
  return { id: row.id, slug: row.slug };
}

export function planTeam(record: FixtureRecord<'teams'>, path: string, draft: PlanDraft) {
  const { referenceIndex } = draft;
  const organization = referenceIndex.organization(record.organization, `${path}.organization`);
  const slug = record.slug ?? slugOf(record.name) ?? '';
  if (slug === '')
    draft.problems.add(`${path}.name must have a letter or a digit, for the team's slug is made from it`);
  const id = draft.idFor('team', record.id, path);
  const privacy = record.privacy ?? 'visible';
  const row = draft.newRow<'team'>({
    id,
    organization_id: organization?.id ?? '',
    slug,
    name: record.name,
    description: record.description ?? '',
    privacy,
    audience: audienceOf(privacy, id),
    is_default_team: record.is_default_team ?? false,
    default_member_role: record.default_member_role ?? 'member',
    members_can_create_pipelines: record.members_can_create_pipelines ?? false,
    created_at: record.created_at ?? draft.now,
    created_by_id: referenceIndex.userId(record.created_by, `${path}.created_by`),
  });
  if (organization && slug !== '') referenceIndex.addTeam(row, path, record.slug === undefined ? 'name' : 'slug');
  draft.insert('team', row);
  if (row.is_default_team && record.members === undefined) draft.defaultMembers.addTeam(row, draft);
  if (organization) planTeamAssociations(record, row, organization, path, draft);
  return { id: row.id, slug: row.slug };
}

/** The members of a team, and its access to pipelines and suites. */
function planTeamAssociations(
  record: FixtureRecord<'teams'>,
  team: Row<'team'>,
  organization: Row<'organization'>,
  path: string,
  draft: PlanDraft,
): void {
  const { referenceIndex } = draft;
  const isFirst = makeDuplicateCheck(draft);
  const commonColumns = { organization_id: organization.id, team_id: team.id };
  for (const [index, member] of (record.members ?? []).entries()) {
    const itemPath = joinPath(`${path}.members`, index);
    const user = referenceIndex.user(member.user, `${itemPath}.user`);
    if (!user || !isFirst(user.id, `${itemPath}.user`)) continue;
    const role = member.role ?? team.default_member_role;
    draft.insert('teamMember', {
      id: draft.idSource.id(),
      ...commonColumns,
      user_id: user.id,
      role,
      created_at: team.created_at,
    });
  }
  for (const [index, association] of (record.pipelines ?? []).entries()) {
    const itemPath = joinPath(`${path}.pipelines`, index);
    const pipeline = referenceIndex.pipeline(organization, association.pipeline, `${itemPath}.pipeline`);
    const id = draft.idFor('teamPipeline', association.id, itemPath);
    if (!pipeline || !isFirst(pipeline.id, `${itemPath}.pipeline`)) continue;
    const created_at = association.created_at ?? team.created_at;
    draft.insert('teamPipeline', {
      id,
      ...commonColumns,
      pipeline_id: pipeline.id,
      access_level: association.access_level,
      created_at,
    });
  }
  for (const [index, association] of (record.suites ?? []).entries()) {
    const itemPath = joinPath(`${path}.suites`, index);
    const suite = referenceIndex.suite(organization, association.suite, `${itemPath}.suite`);
    const id = draft.idFor('teamSuite', association.id, itemPath);
    if (!suite || !isFirst(suite.id, `${itemPath}.suite`)) continue;
    const created_at = association.created_at ?? team.created_at;
    const access_level = levels.filter((level) => association.access_level.includes(level));
    draft.insert('teamSuite', { id, ...commonColumns, suite_id: suite.id, access_level, created_at });
  }
}

/** Access levels are stored in this order, without duplicates (decisions 9). */
const levels: readonly SuiteAccess[] = ['read', 'edit'];

/** Whether the record is listed for the team for the first time. If not, it adds a problem. */
function makeDuplicateCheck(draft: PlanDraft) {
  const seen = new Set<string>();
  return (id: string, path: string): boolean => {
    if (seen.has(id)) draft.problems.add(`${path} has been added to this team already`);
    return seen.size < seen.add(id).size;
  };
}
