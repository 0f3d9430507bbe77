import type { Service } from './service.js';

/** A record as rendered in responses. */
// biome-ignore lint/suspicious/noExplicitAny: responses are checked against their schema before the cases read them
export type RenderedRecord = any;

/** A cluster with its queues and tokens. */
export type RenderedCluster = RenderedRecord & {
  readonly queues: readonly RenderedRecord[];
  readonly tokens: readonly RenderedRecord[];
};
/** A team with its suites and pipelines. */
export type RenderedTeam = RenderedRecord & {
  readonly suites: readonly RenderedRecord[];
  readonly pipelines: readonly RenderedRecord[];
};

/** All records of an organization that an admin can read. */
export interface OrganizationRecords {
  readonly organization: string;
  readonly agents: readonly RenderedRecord[];
  readonly builds: readonly RenderedRecord[];
  /** In order of creation, which is the order of the fixture. */
  readonly clusters: readonly RenderedCluster[];
  readonly teams: readonly RenderedTeam[];
}

/** Reads all records of an organization. */
export async function fetchRecords(service: Service, slug: string): Promise<OrganizationRecords> {
  const token = service.tokens[`admin@${slug}.test`] ?? null;
  const base = `/v2/organizations/${slug}`;
  const all = async (path: string): Promise<RenderedRecord[]> => {
    const response = await service.send('GET', `${base}/${path}${path.includes('?') ? '&' : '?'}per_page=100`, {
      token,
    });
    if (response.status !== 200) throw new Error(`${path}: ${response.text}`);
    return response.body;
  };
  const each = <T>(records: readonly RenderedRecord[], more: (record: RenderedRecord) => Promise<T>) =>
    Promise.all(records.map(more));
  const [agents, builds, clusters, teams] = await Promise.all([
    all('agents'),
    all('builds?include_retried_jobs=true'),
    all('clusters'),
    all('teams'),
  ]);
  return {
    organization: slug,
    agents,
    builds,
    clusters: await each(clusters, async (cluster) => ({
      ...cluster,
      queues: await all(`clusters/${cluster.id}/queues`),
      tokens: await all(`clusters/${cluster.id}/tokens`),
    })),
    teams: await each(teams, async (team) => ({
      ...team,
      suites: await all(`teams/${team.id}/suites`),
      pipelines: await all(`teams/${team.id}/pipelines`),
    })),
  };
}

/** All records of an organization as one text. Two texts are equal if nothing changed between them. */
export const snapshot = async (service: Service, slug: string): Promise<string> =>
  JSON.stringify(await fetchRecords(service, slug));
