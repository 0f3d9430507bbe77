import { readdir, readFile } from 'node:fs/promises';
import test from 'ava';
import { parseJUnit } from './index.js';

/** The samples are in the source folder, not in `dist`. */
const samples = new URL('../../../adapters/junit/samples/', import.meta.url);
const run = { commit: 'c1', branch: 'main', at: '2026-01-01T00:00:00Z' };

/** The executions of each sample in order: result, scope, name, location, and the time if it is not that of the run. */
const expectedExecutions: Readonly<Record<string, readonly string[]>> = {
  surefire: [
    'failed | com.example.CartTest | addsUp | ',
    'failed | com.example.CartTest | addsUp | ',
    'passed | com.example.CartTest | addsUp | ',
    'passed | com.example.CartTest | isEmpty | ',
    'failed | com.example.CartTest | ships | ',
    'failed | com.example.CartTest | ships | ',
    'failed | com.example.CartTest | ships | ',
    'skipped | com.example.CartTest | refunds | ',
  ],
  pytest: [
    'passed | tests.test_cart.TestCart | test_adds_up[1-2] |  | 09:00:00.123',
    'failed | tests.test_cart.TestCart | test_adds_up["a" & \'b\'] |  | 09:00:00.123',
    'failed | tests.test_cart | test_database |  | 09:00:00.123',
    'skipped | tests.test_cart | test_later |  | 09:00:00.123',
  ],
  'pytest-xunit1': ['passed | tests.test_cart | test_total | tests/test_cart.py:7 | 09:00:00.000'],
  jest: [
    'passed | Cart adds up | Cart adds up | src/cart.test.js | 09:00:01.000',
    'failed | Cart renders <Total /> | Cart renders <Total /> | src/cart.test.js | 09:00:01.000',
    'skipped | Cart is todo | Cart is todo | src/cart.test.js | 09:00:01.000',
  ],
  gradle: [
    'failed | com.example.CartTest | adds up() |  | 09:00:02.000',
    'passed | com.example.CartTest | adds up() |  | 09:00:02.000',
    'skipped | com.example.CartTest | later() |  | 09:00:02.000',
  ],
  rspec: [
    'passed | spec.models.cart_spec | Cart adds up | ./spec/models/cart_spec.rb | 09:00:03.000',
    'failed | spec.models.cart_spec | Cart ships abroad | ./spec/models/cart_spec.rb | 09:00:03.000',
    'skipped | spec.models.cart_spec | Cart refunds | ./spec/models/cart_spec.rb | 09:00:03.000',
  ],
  go: [
    'failed | example.com/shop/cart | TestTotal |  | 09:00:04.000',
    'passed | example.com/shop/cart | TestTotal/no_items |  | 09:00:04.000',
    'skipped | example.com/shop/cart | TestShipping |  | 09:00:04.000',
    'passed | example.com/shop/cart | TestTotal |  | 09:00:04.000',
  ],
  mocha: [
    'passed | adds up | Cart adds up | /srv/test/cart.spec.js | 09:00:05.000',
    'failed | ships | Cart ships | /srv/test/cart.spec.js | 09:00:05.000',
    'skipped | refunds | Cart refunds | /srv/test/cart.spec.js | 09:00:05.000',
  ],
  cypress: [
    'passed | adds up | Cart adds up | cypress/e2e/cart.cy.js | 09:00:06.000',
    'failed | shows the form | Login shows the form | cypress/e2e/login.cy.js | 09:00:10.000',
  ],
  phpunit: [
    'passed | App.CartTest | testTotal | /srv/tests/CartTest.php:11',
    'skipped | App.CartTest | testRefund | /srv/tests/CartTest.php:40',
    'passed | App.CartTest | testSum with data set "two" | /srv/tests/CartTest.php:20',
    'failed | App.CartTest | testSum with data set "three" | /srv/tests/CartTest.php:20',
  ],
  ctest: [
    'passed | cart.total | cart.total |  | 09:00:07.000',
    'failed | cart.ships | cart.ships |  | 09:00:07.000',
    'skipped | cart.refunds | cart.refunds |  | 09:00:07.000',
    'skipped | cart.later | cart.later |  | 09:00:07.000',
  ],
  googletest: [
    'passed | CartTest | Total | cart_test.cc:7 | 09:00:08.251',
    'failed | CartTest | Ships | cart_test.cc:12 | 09:00:08.252',
    'skipped | CartTest | DISABLED_Refunds | cart_test.cc:18 | 09:00:08.253',
  ],
  xunit: [
    'passed | Shop.Tests.CartTests | AddsUp(a: 1, b: 2) |  | 09:00:09.000',
    'failed | Shop.Tests.CartTests | Ships |  | 09:00:09.000',
    'skipped | Shop.Tests.CartTests | Refunds |  | 09:00:09.000',
  ],
  nextest: [
    'failed | shop::cart | adds_up |  | 09:00:11.000',
    'passed | shop::cart | adds_up |  | 09:00:12.000',
    'failed | shop::cart | ships |  | 09:00:14.000',
    'failed | shop::cart | ships |  | 09:00:13.000',
  ],
  node: ['passed | test | adds up | /srv/test/cart.test.js', 'failed | test | ships | ', 'skipped | test | refunds | '],
};

for (const [name, expected] of Object.entries(expectedExecutions)) {
  test(`junit.sample.${name}`, async (t) => {
    const executions = parseJUnit(await readFile(new URL(`${name}.xml`, samples)), run);
    t.deepEqual(
      executions.map(({ result, scope, name: testName, location, at = '' }) => {
        const time = at === run.at ? '' : ` | ${at.slice(11, -1)}`;
        return `${result} | ${scope} | ${testName} | ${location}${time}`;
      }),
      [...expected],
    );
    for (const { commit, branch, location = '', file_name } of executions) {
      t.deepEqual({ commit, branch }, { commit: 'c1', branch: 'main' });
      t.is(file_name, location.replace(/:\d+$/, ''));
    }
  });
}

test('junit.sample.each-has-expectations', async (t) => {
  const files = await readdir(samples);
  t.deepEqual(files.map((file) => file.replace('.xml', '')).sort(), Object.keys(expectedExecutions).sort());
});
