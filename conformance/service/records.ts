import type { Service } from './service.js';

/** A record as answers show it. */
// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schema before anything looks at them
export type Shown = any;

/** A cluster with what is in it. */
export type ShownCluster = Shown & { readonly queues: readonly Shown[]; readonly tokens: readonly Shown[] };
/** A team with what it has access to. */
export type ShownTeam = Shown & { readonly suites: readonly Shown[]; readonly pipelines: readonly Shown[] };

/** All that an admin sees of an organization. */
export interface Records {
  readonly organization: string;
  readonly agents: readonly Shown[];
  readonly builds: readonly Shown[];
  /** In the order of the fixture. */
  readonly clusters: readonly ShownCluster[];
  readonly teams: readonly ShownTeam[];
}

/** Asks the service for everything that it shows of an organization. */
export async function recordsOf(service: Service, slug: string): Promise<Records> {
  const token = service.tokens[`admin@${slug}.test`] ?? null;
  const base = `/v2/organizations/${slug}`;
  const all = async (path: string): Promise<Shown[]> => {
    const answer = await service.send('GET', `${base}/${path}${path.includes('?') ? '&' : '?'}per_page=100`, { token });
    if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
    return answer.body;
  };
  const each = <T>(records: readonly Shown[], more: (record: Shown) => Promise<T>) => Promise.all(records.map(more));
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

/** Everything that is shown of an organization as one text: two of them are equal when nothing has changed in between. */
export const picture = async (service: Service, slug: string): Promise<string> =>
  JSON.stringify(await recordsOf(service, slug));
