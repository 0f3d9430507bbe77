import assert from 'node:assert/strict';
import { atSeam, type Case } from '../../case.js';
import { exampleRequests, targetOf } from '../example-requests.js';
import { organizationFixture } from '../fixture.js';
import { type Fixture, type Service, type ServiceHarness, withService } from '../service.js';

const base = 'https://ci.test/api/v9';

/** Parses a `Link` header: the relations in their order, each with its URL after `base`. */
function parseLinks(header: string | undefined): [string, string][] {
  return (header?.split(', ') ?? []).map((part) => {
    const [, url = '', rel = ''] = /^<([^>]*)>; rel="(\w+)"$/.exec(part) ?? [];
    assert.ok(url.startsWith(base), `${part} is not an absolute URL below ${base}`);
    return [rel, url.slice(base.length)];
  });
}

/** The fixture with more records, so that every list has at least three. */
function pagingFixture(): Fixture {
  const fixture = organizationFixture('acme');
  const at = { organization: 'acme' };
  const [agent] = fixture.agents ?? [];
  const more = ['x', 'y'];
  const pipelines = more.map((slug) => ({ ...at, slug, repository: 'r' }));
  const suites = more.map((slug) => ({ ...at, slug }));
  const [team, ...teams] = fixture.teams ?? [];
  const wide = {
    ...at,
    name: 'Wide',
    ...team,
    pipelines: [
      ...(team?.pipelines ?? []),
      ...more.map((pipeline) => ({ pipeline, access_level: 'read_only' as const })),
    ],
    suites: [...(team?.suites ?? []), ...more.map((suite) => ({ suite, access_level: ['read' as const] }))],
  };
  return {
    ...fixture,
    clusters: [...(fixture.clusters ?? []), { ...at, name: 'Third' }],
    queues: [...(fixture.queues ?? []), { ...at, cluster: 'acme spare', key: 'third' }],
    agent_tokens: [
      ...(fixture.agent_tokens ?? []),
      ...more.map((description) => ({ ...at, cluster: 'acme spare', description })),
    ],
    pipelines: [...(fixture.pipelines ?? []), ...pipelines],
    suites: [...(fixture.suites ?? []), ...suites],
    teams: [wide, ...teams, { ...at, name: 'Third' }],
    agents: [...(fixture.agents ?? []), ...more.map((name) => ({ ...agent, name, ...at, cluster: 'acme cluster' }))],
  };
}

/** Executions that make tests flaky: each test has passed and failed. */
const executions = ['x', 'y', 'z'].flatMap((name) =>
  (['passed', 'failed'] as const).map((result) => ({ name, result, commit: 'c', branch: 'main' })),
);

/** The same for every list: pages by themselves, their links, and what happens past the end. */
const lists: Case<ServiceHarness> = {
  id: 'pages.links',
  cites: 'spec 4.9, decisions 3, decisions 12',
  run: (harness) =>
    withService(
      harness,
      pagingFixture(),
      async (service) => {
        await service.api.runtime.tests.record({ organization: 'acme', suite: 'acme-suite', executions });
        for (const example of await exampleRequests(service))
          if (example.operation.form === 'list') await checkPages(service, targetOf(example));
      },
      { baseUrl: `${base}/` },
    ),
};

async function checkPages(service: Service, path: string): Promise<void> {
  const get = (query: string) => service.send('GET', `${path}?${query}`);
  const idOf = (record: object) => Object.values(record)[0];
  const whole = await get('per_page=100');
  assert.equal(whole.headers.link, undefined, `${path}: no header where one page holds everything`);
  const all: unknown[] = whole.body.map(idOf);
  const last = all.length;
  assert.ok(last >= 3, path);
  for (let page = 1; page <= last + 2; page += 1) {
    const { body, headers } = await get(`unknown[]=%C3%A9&per_page=1&page=${page}`);
    assert.deepEqual(body.map(idOf), all.slice(page - 1, page), `${path}, page ${page}`);
    const wanted = [
      ...(page > 1
        ? [
            ['first', 1],
            ['prev', Math.min(page - 1, last)],
          ]
        : []),
      ...(page < last ? [['next', page + 1]] : []),
      ...(page !== last ? [['last', last]] : []),
    ].map(([rel, to]) => [rel, `${path}?unknown%5B%5D=%C3%A9&page=${to}&per_page=1`]);
    assert.deepEqual(parseLinks(headers.link), wanted);
  }
  for (const query of ['', 'page=0', 'page=1', 'per_page=101', 'per_page=9007199254740991', 'page=01'])
    assert.deepEqual((await get(query)).body.map(idOf), all, `${path}?${query}`);
  const far = await get('page=9007199254740991&per_page=100');
  assert.deepEqual([far.body, parseLinks(far.headers.link).map(([rel]) => rel)], [[], ['first', 'prev', 'last']], path);
}

const sizes: Case<ServiceHarness> = {
  id: 'pages.sizes',
  cites: 'decisions 3',
  run(harness) {
    const build = { organization: 'acme', pipeline: 'web', commit: 'HEAD', branch: 'main', jobs: [] };
    const builds = Array.from({ length: 101 }, () => build);
    return withService(harness, { ...organizationFixture('acme'), builds }, async (service) => {
      const size = async (query: string) => (await service.send('GET', `/v2/builds${query}`)).body.length;
      assert.equal(await size(''), 30);
      assert.equal(await size('?page=4'), 11);
      assert.equal(await size('?per_page=100'), 100);
      assert.equal(await size('?per_page=101'), 100);
      assert.equal(await size('?per_page=100000&page=2'), 1);
    });
  },
};

export const pageLinks: readonly Case<ServiceHarness>[] = atSeam('pages', [lists, sizes]);
