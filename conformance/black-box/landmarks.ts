import type { ResolverName } from '../../core/contract/resolvers.js';

/** Records that are there, by the placeholder of the paths that lead to them; each below those before it. */
export type Landmarks = Readonly<Partial<Record<ResolverName, string>>>;

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schema before anything looks at them
type Shown = any;

/** Asks for a path, and gives what the answer holds; undefined where there is nothing to be had. */
export type Look = (path: string) => Promise<unknown>;

/** The records of a list; none where the token may not see it. What is wrong with them is the business of the cases. */
async function listed(look: Look, path: string): Promise<Shown[]> {
  const records = await look(`${path}?per_page=20`);
  return Array.isArray(records) ? records : [];
}

/** The last part of an address. */
const tail = (url: unknown): string | undefined =>
  typeof url === 'string' ? decodeURIComponent(url.slice(url.lastIndexOf('/') + 1)) : undefined;

/** Of some records, the one with the most below it, and the first of each kind of that. */
async function richest(
  records: readonly Shown[],
  below: (record: Shown) => Promise<readonly (Shown | undefined)[]>,
): Promise<readonly [record: Shown | undefined, below: readonly (Shown | undefined)[]]> {
  let best: readonly [Shown | undefined, readonly (Shown | undefined)[]] = [records[0], []];
  const count = (found: readonly (Shown | undefined)[]) => found.filter((one) => one !== undefined).length;
  for (const record of records) {
    const found = await below(record);
    if (count(found) > count(best[1])) best = [record, found];
    if (count(found) === found.length) break;
  }
  return best;
}

/** Looks for a record of every kind. What is not there, or is not for this token, is left out. */
export async function landmarksOf(look: Look, organization: string): Promise<Landmarks> {
  const at = `/v2/organizations/${encodeURIComponent(organization)}`;
  const [agent] = await listed(look, `${at}/agents`);
  const [build] = await listed(look, `${at}/builds`);
  const [cluster, [queue, token]] = await richest(await listed(look, `${at}/clusters`), async ({ id }) => [
    (await listed(look, `${at}/clusters/${id}/queues`))[0],
    (await listed(look, `${at}/clusters/${id}/tokens`))[0],
  ]);
  const [team, [suite, pipeline]] = await richest(await listed(look, `${at}/teams`), async ({ id }) => [
    (await listed(look, `${at}/teams/${id}/suites`))[0],
    (await listed(look, `${at}/teams/${id}/pipelines`))[0],
  ]);
  const found: { [K in ResolverName]: string | undefined } = {
    organization,
    agent: agent?.id,
    pipeline: build?.pipeline?.slug ?? (pipeline && tail(pipeline.pipeline_url)),
    build: build && String(build.number),
    cluster: cluster?.id,
    queue: queue?.id,
    agentToken: token?.id,
    team: team?.id,
    teamSuite: suite?.suite_id,
    teamPipeline: pipeline?.pipeline_id,
    suite: suite && tail(suite.suite_url),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)) as Landmarks;
}
