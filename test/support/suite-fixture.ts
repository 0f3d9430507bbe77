import { type ManualClock, manualClock } from '../../adapters/fake/manual-clock.js';
import { seededIds } from '../../adapters/fake/seeded-ids.js';
import { memoryStorage } from '../../adapters/memory/index.js';
import { seed } from '../../conformance/property-settings.js';
import { inProcess } from '../../conformance/service/in-process.js';
import { type Api, createApi, type Storage } from '../../core/index.js';
import type { Row } from '../../core/model/index.js';
import type { ExecutionInput, RecordResult } from '../../core/runtime/test-executions/index.js';

/** An API with one organization and three suites: `web` and `other` without a collector, `ruby` with the collector `ruby`. */
export interface SuiteFixture {
  readonly api: Api;
  readonly clock: ManualClock;
  record(executions: readonly ExecutionInput[], suite?: string): Promise<RecordResult>;
  /** Records through another API over the same storage, like another process. */
  recordInProcess(process: number, executions: readonly ExecutionInput[]): Promise<RecordResult>;
  /** All items of the list, following the Link header, and the targets of its pages. */
  list(query?: string, suite?: string): Promise<{ tests: readonly ListedTest[]; pages: readonly string[] }>;
  /** All tests of the suite, flaky or not, without ids and versions, sorted by identity. */
  storedTests(suite?: string): Promise<readonly Partial<Row<'test'>>[]>;
}

export interface ListedTest {
  readonly id: string;
  readonly name: string;
  readonly scope: string;
  readonly location: string;
  readonly file_name: string;
  readonly instances: number;
  readonly latest_occurrence_at: string;
  readonly most_recent_instance_at: string;
  readonly last_resolved_at: string | null;
}

const organization = 'acme';

export async function makeSuiteFixture(
  wrap: (storage: Storage) => Storage = (storage) => storage,
): Promise<SuiteFixture> {
  const clock = manualClock();
  const storage = wrap(memoryStorage());
  const createInstance = (ids: number) =>
    createApi({ storage, clock, ids: seededIds(seed + ids), baseUrl: 'https://api.ci.test' });
  const api = createInstance(0);
  const instances = new Map<number, Api>();
  await api.prepare();
  const { access_tokens } = await api.load({
    organizations: [{ slug: organization, name: 'Acme' }],
    users: [{ name: 'Ann', email: 'ann@acme.test', organizations: [{ organization, role: 'admin' }] }],
    access_tokens: [{ user: 'ann@acme.test' }],
    suites: [
      { organization, slug: 'web', name: 'Web' },
      { organization, slug: 'ruby', name: 'Ruby', collector: 'ruby' },
      { organization, slug: 'other', name: 'Other' },
    ],
  });
  const transport = inProcess(api);
  const headers = { authorization: `Bearer ${access_tokens[0]?.token}` };

  return {
    api,
    clock,
    record: (executions, suite = 'web') => api.runtime.tests.record({ organization, suite, executions }),
    recordInProcess(process, executions) {
      const other = instances.get(process) ?? createInstance(1 + process);
      instances.set(process, other);
      return other.runtime.tests.record({ organization, suite: 'web', executions });
    },
    async list(query = '', suite = 'web') {
      const path = `/v2/analytics/organizations/${organization}/suites/${suite}/flaky-tests`;
      const tests: ListedTest[] = [];
      const pages: string[] = [];
      for (let target: string | undefined = `${path}${query && `?${query}`}`; target !== undefined; ) {
        const response = await transport.send({ method: 'GET', target, headers });
        if (response.status !== 200) throw new Error(`${response.status} ${response.text}`);
        pages.push(target);
        tests.push(...JSON.parse(response.text));
        target = /<https:\/\/api\.ci\.test([^>]*)>; rel="next"/.exec(response.headers.link ?? '')?.[1];
      }
      return { tests, pages };
    },
    async storedTests(slug = 'web') {
      const [owner] = await storage.select('organization.bySlug', { slug: organization }, 1);
      const [suite] = await storage.select('suite.bySlug', { organization: owner?.id ?? '', slug }, 1);
      const rows = await Promise.all(
        [true, false].map((flaky) => storage.select('test.flaky', { suite: suite?.id ?? '', flaky }, 1_000_000)),
      );
      return rows
        .flat()
        .map(({ id: _id, version: _version, suite_id: _suite, organization_id: _of, created_at: _at, ...row }) => row)
        .sort((a, b) => (a.identity < b.identity ? -1 : 1));
    },
  };
}

/** The time this many minutes after 09:00. */
export const minutesAfterNine = (minutes: number): string =>
  `2026-01-05T${new Date(minutes * 60_000 + 32_400_000).toISOString().slice(11)}`;

/** An execution with default values for all other fields. */
export const makeExecution = (fields: Partial<ExecutionInput>): ExecutionInput => ({
  scope: 'Cart',
  name: 'adds up',
  result: 'passed',
  commit: 'c1',
  branch: 'main',
  at: minutesAfterNine(0),
  ...fields,
});
