import type { PathParameter } from '../api/index.js';

/** Existing records by path placeholder. Where a path has several placeholders, its records belong together. */
export type SampleRecords = Readonly<Partial<Record<PathParameter, string>>>;

// biome-ignore lint/suspicious/noExplicitAny: missing fields are tolerated here; the cases check responses against their schema
type RenderedRecord = any;

/** Fetches a path and returns the parsed body. Undefined if the response is an error or no JSON. */
export type FetchPath = (path: string) => Promise<unknown>;

/** The records of a list, none if the token may not read it. The cases check whether the records are valid. */
async function fetchList(fetchPath: FetchPath, path: string): Promise<RenderedRecord[]> {
  const records = await fetchPath(`${path}?per_page=20`);
  return Array.isArray(records) ? records : [];
}

/** The last segment of the path of a URL. */
const lastPathSegment = (url: unknown): string | undefined =>
  typeof url === 'string' ? decodeURIComponent(url.slice(url.lastIndexOf('/') + 1)) : undefined;

/** The record with the most kinds of children, and its first child of each kind. */
async function withMostChildren(
  records: readonly RenderedRecord[],
  childrenOf: (record: RenderedRecord) => Promise<readonly (RenderedRecord | undefined)[]>,
): Promise<readonly [record: RenderedRecord | undefined, children: readonly (RenderedRecord | undefined)[]]> {
  let best: readonly [RenderedRecord | undefined, readonly (RenderedRecord | undefined)[]] = [records[0], []];
  const count = (found: readonly (RenderedRecord | undefined)[]) => found.filter((one) => one !== undefined).length;
  for (const record of records) {
    const found = await childrenOf(record);
    if (count(found) > count(best[1])) best = [record, found];
    if (count(found) === found.length) break;
  }
  return best;
}

/** Finds a record of every kind. Kinds without a record, or that the token may not read, are left out. */
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
  const found: { [K in PathParameter]: string | undefined } = {
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
