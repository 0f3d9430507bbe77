import type { Row, Step } from '../model/index.js';
import type { FixtureRecord } from './fixture-schema.js';
import type { PlanDraft } from './plan-draft.js';

/** The number of random characters in the URL of a badge. */
const badgeLength = 40;

export function planPipeline(record: FixtureRecord<'pipelines'>, path: string, draft: PlanDraft): Row<'pipeline'> {
  const { referenceIndex } = draft;
  const organization = referenceIndex.organization(record.organization, `${path}.organization`);
  const cluster =
    organization && record.cluster != null
      ? referenceIndex.cluster(organization, record.cluster, `${path}.cluster`)
      : undefined;
  const row = draft.newRow<'pipeline'>({
    id: draft.idFor('pipeline', record.id, path),
    organization_id: organization?.id ?? '',
    cluster_id: cluster?.id ?? null,
    slug: record.slug,
    name: record.name ?? record.slug,
    repository: record.repository,
    branch_configuration: record.branch_configuration ?? null,
    default_branch: record.default_branch ?? 'main',
    provider: {
      id: record.provider?.id ?? 'unknown',
      webhook_url: record.provider?.webhook_url ?? '',
      settings: record.provider?.settings ?? null,
    },
    skip_queued_branch_builds: record.skip_queued_branch_builds ?? false,
    skip_queued_branch_builds_filter: record.skip_queued_branch_builds_filter ?? null,
    cancel_running_branch_builds: record.cancel_running_branch_builds ?? false,
    cancel_running_branch_builds_filter: record.cancel_running_branch_builds_filter ?? null,
    badge_token: draft.idSource.secret(badgeLength),
    steps: (record.steps ?? [defaultStep]).map((step) => stepOf(step, draft)),
    created_at: record.created_at ?? draft.now,
  });
  if (organization) referenceIndex.addPipeline(row, path);
  draft.insert('pipeline', row);
  return row;
}

type StepRecord = NonNullable<FixtureRecord<'pipelines'>['steps']>[number];

/** The step of a pipeline without steps in the document. Builds of a pipeline without any step would end immediately. */
const defaultStep: StepRecord = { name: 'Test', command: 'make test' };

const stepOf = (step: StepRecord, draft: PlanDraft): Step => ({
  id: step.id ?? draft.idSource.id(),
  type: step.type ?? 'script',
  key: step.key ?? null,
  name: step.name ?? null,
  command: step.command ?? null,
  script_path: step.script_path ?? null,
  artifact_paths: step.artifact_paths ?? null,
  agent_query_rules: step.agent_query_rules ?? [],
  parallelism: step.parallelism ?? null,
  matrix: step.matrix ?? null,
  soft_fail: step.soft_fail ?? false,
  automatic_retry: step.automatic_retry ?? [],
  timeout_in_minutes: step.timeout_in_minutes ?? null,
  continue_on_failure: step.continue_on_failure ?? false,
  branches: step.branches ?? null,
  signature: step.signature ?? null,
});
