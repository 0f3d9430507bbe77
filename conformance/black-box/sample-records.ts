import type { ResolverName } from '../../core/operations/contract/resolvers.js';

/** Records that are there, by the placeholder of the paths that lead to them; each below those before it. */
export type SampleRecords = Readonly<Partial<Record<ResolverName, string>>>;

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schema before anything looks at them
type RenderedRecord = any;

/** Asks for a path, and gives what the answer holds; undefined where there is nothing to be had. */
export type FetchPath = (path: string) => Promise<unknown>;

/** The records of a list; none where the token may not see it. What is wrong with them is the business of the cases. */
async function fetchList(fetchPath: FetchPath, path: string): Promise<RenderedRecord[]> {
  const records = await fetchPath(`${path}?per_page=20`);
  return Array.isArray(records) ? records : [];
}

/** The last part of an address. */
const lastPathSegment = (url: unknown): string | undefined =>
  typeof url === 'string' ? decodeURIComponent(url.slice(url.lastIndexOf('/') + 1)) : undefined;

/** Of some records, the one with the most below it, and the first of each kind of that. */
async function withMostChildren(
  records: readonly RenderedRecord[],
  below: (record: RenderedRecord) => Promise<readonly (RenderedRecord | undefined)[]>,
): Promise<readonly [record: RenderedRecord | undefined, below: readonly (RenderedRecord | undefined)[]]> {
  let best: readonly [RenderedRecord | undefined, readonly (RenderedRecord | undefined)[]] = [records[0], []];
  const count = (found: readonly (RenderedRecord | undefined)[]) => found.filter((one) => one !== undefined).length;
  for (const record of records) {
    const found = await below(record);
    if (count(found) > count(best[1])) best = [record, found];
    if (count(found) === found.length) break;
  }
  return best;
}

/** Looks for a record of every kind. What is not there, or is not for this token, is left out. */
export async function findSampleRecords(fetchPath: FetchPath, organization: string): Promise<SampleRecords> {
  const organizationPath = `/v2/organizations/${encodeURIComponent(organization)}`;
  const [agent] = await fetchList(fetchPath, `${organizationPath}/agents`);
  const [build] = await fetchList(fetchPath, `${organizationPath}/builds`);
  const [cluster, [queue, token]] = await withMostChildren(
    await fetchList(fetchPath, `${organizationPath}/clusters`),
    async ({ id }) => [
      (await fetchList(fetchPath, `${organizationPath}/clusters/${id}/queues`))[0],
      (await fetchList(fetchPath, `${organizationPath}/clusters/${id}/tokens`))[0],
    ],
  );
  const [team, [suite, pipeline]] = await withMostChildren(
    await fetchList(fetchPath, `${organizationPath}/teams`),
    async ({ id }) => [
      (await fetchList(fetchPath, `${organizationPath}/teams/${id}/suites`))[0],
      (await fetchList(fetchPath, `${organizationPath}/teams/${id}/pipelines`))[0],
    ],
  );
  const found: { [K in ResolverName]: string | undefined } = {
    organization,
    agent: agent?.id,
    pipeline: build?.pipeline?.slug ?? (pipeline && lastPathSegment(pipeline.pipeline_url)),
    build: build && String(build.number),
    cluster: cluster?.id,
    queue: queue?.id,
    agentToken: token?.id,
    team: team?.id,
    teamSuite: suite?.suite_id,
    teamPipeline: pipeline?.pipeline_id,
    suite: suite && lastPathSegment(suite.suite_url),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)) as SampleRecords;
}
