import { seededIds } from '../../../adapters/fake/seeded-ids.js';
import { type StillClock, stillClock } from '../../../adapters/fake/still-clock.js';
import { memoryStorage } from '../../../adapters/memory/index.js';
import { inProcess } from '../../../conformance/service/in-process.js';
import { seed } from '../../../conformance/settings.js';
import { type Api, createApi, type Storage } from '../../index.js';
import type { Row } from '../../model/index.js';
import type { ExecutionInput, Recorded } from './index.js';

/** An Api with one organization and some suites in it: `web` of no collector, `ruby` of Ruby's, `other`. */
export interface World {
  readonly api: Api;
  readonly clock: StillClock;
  record(executions: readonly ExecutionInput[], suite?: string): Promise<Recorded>;
  /** The same through another Api over the same storage, as another process would. */
  recordElsewhere(process: number, executions: readonly ExecutionInput[]): Promise<Recorded>;
  /** All that a list answers, page by page as the Link header leads, and the addresses of its pages. */
  list(query?: string, suite?: string): Promise<{ tests: readonly Listed[]; pages: readonly string[] }>;
  /** Every test of the suite, flaky or not, without ids and versions, by name. */
  stored(suite?: string): Promise<readonly Partial<Row<'test'>>[]>;
}

export interface Listed {
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

export async function makeWorld(wrap: (storage: Storage) => Storage = (storage) => storage): Promise<World> {
  const clock = stillClock();
  const storage = wrap(memoryStorage());
  const over = (ids: number) =>
    createApi({ storage, clock, ids: seededIds(seed + ids), baseUrl: 'https://api.ci.test' });
  const api = over(0);
  const others = new Map<number, Api>();
  await api.prepare();
  const { access_tokens } = await api.host.load({
    organizations: [{ slug: organization, name: 'Acme' }],
    users: [{ name: 'Ann', email: 'ann@acme.test', organizations: [{ organization, role: 'admin' }] }],
    access_tokens: [{ user: 'ann@acme.test' }],
    suites: [
      { organization, slug: 'web', name: 'Web' },
      { organization, slug: 'ruby', name: 'Ruby', collector: 'ruby' },
      { organization, slug: 'other', name: 'Other' },
    ],
  });
  const wire = inProcess(api);
  const headers = { authorization: `Bearer ${access_tokens[0]?.token}` };

  return {
    api,
    clock,
    record: (executions, suite = 'web') => api.host.tests.record({ organization, suite, executions }),
    recordElsewhere(process, executions) {
      const other = others.get(process) ?? over(1 + process);
      others.set(process, other);
      return other.host.tests.record({ organization, suite: 'web', executions });
    },
    async list(query = '', suite = 'web') {
      const path = `/v2/analytics/organizations/${organization}/suites/${suite}/flaky-tests`;
      const tests: Listed[] = [];
      const pages: string[] = [];
      for (let target: string | undefined = `${path}${query && `?${query}`}`; target !== undefined; ) {
        const answer = await wire.send({ method: 'GET', target, headers });
        if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
        pages.push(target);
        tests.push(...JSON.parse(answer.text));
        target = /<https:\/\/api\.ci\.test([^>]*)>; rel="next"/.exec(answer.headers.link ?? '')?.[1];
      }
      return { tests, pages };
    },
    async stored(slug = 'web') {
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

/** So many minutes after nine. */
export const at = (minutes: number): string =>
  `2026-01-05T${new Date(minutes * 60_000 + 32_400_000).toISOString().slice(11)}`;

/** An execution with the fields that do not matter filled in. */
export const execution = (of: Partial<ExecutionInput>): ExecutionInput => ({
  scope: 'Cart',
  name: 'adds up',
  result: 'passed',
  commit: 'c1',
  branch: 'main',
  at: at(0),
  ...of,
});
