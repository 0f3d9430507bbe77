import assert from 'node:assert/strict';
import type { Case } from '../../case.js';
import { mergeFixtures, organizationFixture } from '../fixture.js';
import { type Service, type ServiceHarness, withService } from '../service.js';

const twoOrganizations = mergeFixtures(organizationFixture('acme'), organizationFixture('rivals'));
const path = (suite: string, organization = 'acme') =>
  `/v2/analytics/organizations/${organization}/suites/${suite}/flaky-tests`;

interface FlakyTestInput {
  readonly name: string;
  readonly scope?: string;
  readonly location?: string;
  readonly branch?: string;
  /** Minute of the hour of its flake. */
  readonly minute?: number;
}

const at = (minute: number, second = 0) =>
  `2026-01-04T10:${String(minute).padStart(2, '0')}:${String(second).padStart(2, '0')}.000Z`;

/** Makes tests flaky: each gets a failed and a passed execution on one commit. */
async function recordFlakyTests(
  service: Service,
  suite: string,
  tests: readonly FlakyTestInput[],
  organization = 'acme',
): Promise<void> {
  const executions = tests.flatMap(
    ({ name, scope = 'Scope', location = './spec/a.rb:1', branch = 'main', minute = 0 }) =>
      (['failed', 'passed'] as const).map((result, second) => ({
        name,
        scope,
        location,
        file_name: './spec/a.rb',
        result,
        commit: `commit of ${name}`,
        branch,
        at: at(minute, second),
      })),
  );
  await service.api.runtime.tests.record({ organization, suite, executions });
}

const names = async (service: Service, target: string): Promise<string[]> => {
  const response = await service.send('GET', target);
  assert.equal(response.status, 200, target);
  return response.body.map((test: { name: string }) => test.name);
};

const shown: Case<ServiceHarness> = {
  id: 'flaky-tests.shown',
  cites: 'spec 2.12, spec 4.8, decisions 10',
  run: (harness) =>
    withService(harness, twoOrganizations, async (service) => {
      assert.deepEqual(await names(service, path('acme-suite')), []);
      const run = (result: 'passed' | 'failed' | 'skipped', commit: string, minute: number) => ({
        scope: 'Cart',
        name: 'adds',
        location: './spec/cart.rb:7',
        file_name: './spec/cart.rb',
        result,
        commit,
        branch: 'main',
        at: at(minute),
      });
      const record = (...executions: ReturnType<typeof run>[]) =>
        service.api.runtime.tests.record({ organization: 'acme', suite: 'acme-suite', executions });
      await record(run('failed', 'a', 1), run('passed', 'b', 2), run('skipped', 'a', 3), run('failed', 'a', 4));
      assert.deepEqual(await names(service, path('acme-suite')), [], 'no commit has both results');
      await record(run('passed', 'a', 5), run('failed', 'c', 6), run('passed', 'c', 7), run('passed', 'd', 9));
      const [test, ...others] = (await service.send('GET', path('acme-suite'))).body;
      assert.deepEqual(others, []);
      const { id, ...rest } = test;
      assert.deepEqual(rest, {
        web_url: `https://ci.test/organizations/acme/analytics/suites/acme-suite/tests/${id}`,
        scope: 'Cart',
        name: 'adds',
        location: './spec/cart.rb:7',
        file_name: './spec/cart.rb',
        instances: 2,
        latest_occurrence_at: at(7),
        most_recent_instance_at: at(9),
        last_resolved_at: null,
      });
      service.clock.advance(60_000);
      await service.api.runtime.tests.resolve({ test: id });
      const resolved = '2026-01-05T09:01:00.000Z';
      assert.deepEqual((await service.send('GET', path('acme-suite'))).body, [{ ...test, last_resolved_at: resolved }]);
      await record(run('failed', 'e', 11), run('passed', 'e', 12));
      const [again] = (await service.send('GET', `${path('acme-suite')}/`)).body;
      assert.deepEqual([again.instances, again.last_resolved_at], [3, resolved], 'later executions do not clear it');
    }),
};

const order: Case<ServiceHarness> = {
  id: 'flaky-tests.most-recent-first',
  cites: 'spec 4.9, decisions 10, decisions 12',
  run: (harness) =>
    withService(harness, twoOrganizations, async (service) => {
      const tests = Array.from({ length: 45 }, (_, index) => ({ name: `t${index}`, minute: index % 5 }));
      await recordFlakyTests(service, 'acme-suite', tests);
      await recordFlakyTests(service, 'acme-other', [{ name: 'elsewhere', minute: 59 }]);
      await recordFlakyTests(service, 'rivals-suite', [{ name: 'theirs', minute: 59 }], 'rivals');
      const whole = (await service.send('GET', `${path('acme-suite')}?per_page=100`)).body;
      assert.equal(whole.length, 45);
      const key = (test: { latest_occurrence_at: string; id: string }) => `${test.latest_occurrence_at} ${test.id}`;
      assert.deepEqual(whole.map(key), whole.map(key).sort().reverse());
      const pages = await Promise.all(
        [1, 2, 3].map((page) => service.send('GET', `${path('acme-suite')}?page=${page}&per_page=20`)),
      );
      assert.deepEqual(
        pages.flatMap((page) => page.body),
        whole,
      );
      assert.match(pages[1]?.headers.link ?? '', /rel="first".*rel="prev".*rel="next".*rel="last"/);
    }),
};

const searched: readonly FlakyTestInput[] = [
  { name: 'adds ITEMS', scope: 'Cart' },
  { name: 'pays', scope: 'Till of the cart' },
  { name: '100% done', scope: 'Rates' },
  { name: '100 percent', scope: 'Rates' },
  { name: 'a_b', scope: 'Names' },
  { name: 'acb', scope: 'Names' },
  { name: 'C:\\temp', scope: 'Paths' },
  { name: "it's", scope: 'Quotes "both"' },
  { name: 'located', scope: 'X', location: './spec/special_place.rb:3' },
];

const searches: readonly (readonly [search: string, found: readonly string[]])[] = [
  ['cart', ['adds ITEMS', 'pays']],
  ['CART', ['adds ITEMS', 'pays']],
  ['items', ['adds ITEMS']],
  ['100%', ['100% done']],
  ['%', ['100% done']],
  ['_', ['a_b']],
  ['\\', ['C:\\temp']],
  ["'", ["it's"]],
  ['"both"', ["it's"]],
  ['nothing of that', []],
  ['adds  items', []],
];

const search: Case<ServiceHarness> = {
  id: 'flaky-tests.search',
  cites: 'spec 4.8, decisions 10',
  run: (harness) =>
    withService(harness, twoOrganizations, async (service) => {
      for (const suite of ['acme-suite', 'acme-other']) {
        await recordFlakyTests(service, suite, searched);
        const find = async (text: string) =>
          (await names(service, `${path(suite)}?search=${encodeURIComponent(text)}`)).sort();
        for (const [text, found] of searches) {
          const wanted = text === '_' && suite === 'acme-suite' ? [...found, 'located'] : [...found];
          assert.deepEqual(await find(text), wanted.sort(), `${suite}: ${text}`);
        }
        const located = suite === 'acme-suite' ? ['located'] : [];
        assert.deepEqual(await find('SPECIAL_place'), located, 'locations are searched only for the Ruby collector');
        assert.equal((await find('')).length, searched.length, 'an empty search finds every test');
      }
      for (const query of ['search=a&search=b', 'search[]=a', 'search[k]=a', 'search=%00']) {
        const response = await service.send('GET', `${path('acme-suite')}?${query}`);
        assert.equal(response.status, 400, query);
        assert.match(response.body.message, /^search must/);
      }
    }),
};

const branches: Case<ServiceHarness> = {
  id: 'flaky-tests.on-a-branch',
  cites: 'spec 4.8, decisions 10',
  run: (harness) =>
    withService(harness, twoOrganizations, async (service) => {
      await recordFlakyTests(service, 'acme-suite', [
        { name: 'one', branch: 'main' },
        { name: 'two', branch: 'topic/%_1' },
        { name: 'three', branch: 'Main' },
      ]);
      await recordFlakyTests(service, 'acme-suite', [{ name: 'one', branch: 'topic/%_1', minute: 3 }]);
      const on = async (query: string) => (await names(service, `${path('acme-suite')}?${query}`)).sort();
      assert.deepEqual(await on('branch=main'), ['one']);
      assert.deepEqual(await on(`branch=${encodeURIComponent('topic/%_1')}`), ['one', 'two'].sort());
      assert.deepEqual(await on('branch=topic'), []);
      assert.deepEqual(await on('branch=main&search=ONE'), ['one']);
      assert.deepEqual(await on('branch=main&search=two'), [], 'both filters apply');
      assert.deepEqual(
        await names(service, `${path('acme-other')}?branch=main`),
        [],
        'flakes of other suites do not count',
      );
    }),
};

const suiteScope: Case<ServiceHarness> = {
  id: 'flaky-tests.of-a-suite',
  cites: 'spec 4.8, decisions 2',
  run: (harness) =>
    withService(harness, twoOrganizations, async (service) => {
      for (const suite of ['rivals-suite', 'nothing', 'ACME-SUITE', '0190a000-0000-7000-8000-000000000000']) {
        const response = await service.send('GET', path(suite));
        assert.deepEqual([response.status, response.body], [404, { message: 'No suite found' }], suite);
      }
      const other = await service.send('GET', path('rivals-suite', 'rivals'));
      assert.deepEqual([other.status, other.body], [404, { message: 'No organization found' }]);
    }),
};

/** Flaky tests (spec 2.12, 4.8). */
export const flakyTests: readonly Case<ServiceHarness>[] = [shown, order, search, branches, suiteScope];
