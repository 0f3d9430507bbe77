import type { OrganizationRecords, RenderedRecord } from '../records.js';

/** The model of an organization: the fields that clients choose, in order of creation. */
export interface OrganizationModel {
  clusters: Cluster[];
  teams: Team[];
  /** Ids of the suites and pipelines that teams can get access to. */
  readonly suites: readonly string[];
  readonly pipelines: readonly string[];
}

export interface Cluster {
  readonly id: string;
  name: string;
  description: string | null;
  color: string | null;
  default_queue_id: string | null;
  queues: Queue[];
  tokens: { readonly id: string; description: string; allowed_ip_addresses: string | null }[];
}

export interface Queue {
  readonly id: string;
  readonly key: string;
  description: string | null;
  dispatch_paused: boolean;
  dispatch_paused_note: string | null;
}

export interface Team {
  readonly id: string;
  name: string;
  slug: string;
  description: string;
  privacy: string;
  default: boolean;
  suites: { readonly suite_id: string; access_level: readonly string[] }[];
  pipelines: { readonly pipeline_id: string; access_level: string }[];
}

const pick = (record: RenderedRecord, fields: readonly string[]): RenderedRecord =>
  Object.fromEntries(fields.map((field) => [field, record[field]]));

/** Makes the model from the records of the service. */
export function organizationFromRecords({
  clusters,
  teams,
}: OrganizationRecords): Pick<OrganizationModel, 'clusters' | 'teams'> {
  return {
    clusters: clusters.map((cluster) => ({
      ...pick(cluster, ['id', 'name', 'description', 'color', 'default_queue_id']),
      queues: cluster.queues.map((queue: RenderedRecord) =>
        pick(queue, ['id', 'key', 'description', 'dispatch_paused', 'dispatch_paused_note']),
      ),
      tokens: cluster.tokens.map((token: RenderedRecord) => pick(token, ['id', 'description', 'allowed_ip_addresses'])),
    })),
    teams: teams.map((team) => ({
      ...pick(team, ['id', 'name', 'slug', 'description', 'privacy', 'default']),
      suites: team.suites.map((suite: RenderedRecord) => pick(suite, ['suite_id', 'access_level'])),
      pipelines: team.pipelines.map((pipeline: RenderedRecord) => pick(pipeline, ['pipeline_id', 'access_level'])),
    })),
  };
}
