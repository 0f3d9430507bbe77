import test from 'ava';
import fc from 'fast-check';
import { memoryStorage } from '../../adapters/memory/index.js';
import { scaledRuns, seed } from '../../conformance/property-settings.js';
import { formatToken } from '../auth/token-format.js';
import { type ApiError, isApiError } from '../errors/index.js';
import type { Storage } from '../ports/index.js';
import { baseFixture, emptyService } from './_fixture-service.test.js';
import type { Fixture } from './fixture-schema.js';

// biome-ignore lint/suspicious/noExplicitAny: faults are put into the document wherever they may stand
type Document = any;

const web = { organization: 'acme', pipeline: 'web', commit: 'abc', branch: 'main' };
const id = '0190a000-0000-7000-8000-000000000001';
const token = formatToken('mra', 'x'.repeat(30));

/** Faults by the problem that has to be told of them. */
const faults: readonly [problem: string | RegExp, (document: Document) => unknown][] = [
  ['colour is not a property of a fixture', (d) => (d.colour = 1)],
  ['builds must be an array', (d) => (d.builds = {})],
  ['builds[0].commit is missing', (d) => delete d.builds[0].commit],
  ['builds[0].commit must not be empty', (d) => (d.builds[0].commit = '')],
  ['builds[0].branch is too long: at most 255', (d) => (d.builds[0].branch = 'x'.repeat(256))],
  ['builds[0].number must be at least 1', (d) => (d.builds[0].number = 0)],
  ['builds[0].number must be an integer', (d) => (d.builds[0].number = '1')],
  ['builds[0].message must be a string or null', (d) => (d.builds[0].message = 1)],
  ['builds[0].id must be a UUID', (d) => (d.builds[0].id = 'one')],
  [/^builds\[0\]\.state must be one of scheduled, running, failing, passed,/, (d) => (d.builds[0].state = 'blocked')],
  ['builds[0].env["a b"] must be a string', (d) => (d.builds[0].env = { 'a b': 1 })],
  ['builds[0].env.A has a character that cannot be stored', (d) => (d.builds[0].env = { A: '\u0000' })],
  ['builds[0].env["\\ud800"] has a name that cannot be stored', (d) => (d.builds[0].env = { '\ud800': '' })],
  ['builds[0].message has a character that cannot be stored', (d) => (d.builds[0].message = 'a\udc00')],
  ['builds[0].created_at must be an ISO 8601 date or date-time', (d) => (d.builds[0].created_at = 'today')],
  [
    'builds[0].created_at must be a date and time that exist, not 2025-02-30',
    (d) => (d.builds[0].created_at = '2025-02-30'),
  ],
  ['builds[0].author.email is missing', (d) => (d.builds[0].author = { name: 'a' })],
  ['builds[0].author must be an object or null', (d) => (d.builds[0].author = 'a')],
  [/^builds\[0\]\.jobs\[2\]\.state must be one of pending, waiting,/, (d) => (d.builds[0].jobs[2].state = 'done')],
  ['builds[0].jobs[0].step.signature.signed_fields[1] must be a string', withInvalidSignature],
  ['pipelines[0].steps must not be empty', (d) => (d.pipelines[0].steps = [])],
  ['pipelines[0].steps[0].soft_fail must be a boolean or an array', (d) => (d.pipelines[0].steps[0].soft_fail = 'yes')],
  ['pipelines[0].steps[0].soft_fail[0] must be an integer', (d) => (d.pipelines[0].steps[0].soft_fail = ['yes'])],
  ['clusters[0].color must be a hex color code', (d) => (d.clusters[0].color = 'red')],
  [
    'organizations[1].slug: there is an organization "acme" already, in organizations[0]',
    withDuplicate('organizations'),
  ],
  ['users[1].email: there is a user "ada@acme.test" already, in users[0]', withDuplicate('users')],
  [
    'users[0].organizations[0].organization: there is no organization "acm"',
    (d) => (d.users[0].organizations[0].organization = 'acm'),
  ],
  [
    'users[0].organizations[1].organization: the user is in "acme" already',
    (d) => d.users[0].organizations.push({ organization: 'acme' }),
  ],
  ['access_tokens[0].user: there is no user "bo@acme.test"', (d) => (d.access_tokens[0].user = 'bo@acme.test')],
  [
    `access_tokens[0].token is not a well-formed token: made from it, ${formatToken('mra', 'adastoken'.padEnd(30, '0'))} would be one`,
    (d) => (d.access_tokens[0].token = 'mra_ada-s-token'),
  ],
  [
    'access_tokens[2].token is the token of another record of the document',
    (d) => d.access_tokens.push({ user: 'ada@acme.test', token }, { user: 'ada@acme.test', token }),
  ],
  [
    'access_tokens[0].organizations[0]: the user "ada@acme.test" is not a member of "acme"',
    (d) => {
      d.access_tokens[0].organizations = ['acme'];
      d.users[0].organizations = [];
    },
  ],
  [
    'clusters[1].name: there is a cluster "Linux" in the organization already, in clusters[0]',
    withDuplicate('clusters'),
  ],
  ['clusters[0].default_queue: there is no queue "none" in the cluster', (d) => (d.clusters[0].default_queue = 'none')],
  ['clusters[0].created_by: there is no user "x@y"', (d) => (d.clusters[0].created_by = 'x@y')],
  ['queues[2].key: there is a queue "default" in the cluster already, in queues[0]', withDuplicate('queues')],
  ['queues[0].cluster: there is no cluster "Mac" in the organization "acme"', (d) => (d.queues[0].cluster = 'Mac')],
  [
    'queues[1].default: the cluster has another default queue, by clusters[0].default_queue',
    (d) => (d.queues[1].default = true),
  ],
  ['queues[0].dispatch_paused_note needs dispatch_paused: true', (d) => (d.queues[0].dispatch_paused_note = 'x')],
  [
    'agent_tokens[0].allowed_ip_addresses has 10.0.0.0/33, which is no IPv4 address or CIDR block',
    (d) => (d.agent_tokens[0].allowed_ip_addresses = '10.0.0.1 10.0.0.0/33'),
  ],
  [
    'pipelines[1].slug: there is a pipeline "web" in the organization already, in pipelines[0]',
    withDuplicate('pipelines'),
  ],
  ['pipelines[0].organization: there is no organization "acm"', (d) => (d.pipelines[0].organization = 'acm')],
  ['suites[1].slug: there is a suite "unit" in the organization already, in suites[0]', withDuplicate('suites')],
  ['teams[1].name: there is a team "the-builders" in the organization already, in teams[0]', withDuplicate('teams')],
  ["teams[0].name must have a letter or a digit, for the team's slug is made from it", (d) => (d.teams[0].name = '!!')],
  [
    'teams[0].members[1].user has been added to this team already',
    (d) => d.teams[0].members.push({ user: 'ada@acme.test' }),
  ],
  [
    'teams[0].pipelines[0].pipeline: there is no pipeline "app" in the organization "acme"',
    (d) => (d.teams[0].pipelines[0].pipeline = 'app'),
  ],
  [
    'teams[0].suites[0].suite: there is no suite "e2e" in the organization "acme"',
    (d) => (d.teams[0].suites[0].suite = 'e2e'),
  ],
  ['agents[0].meta_data: there is no queue "none" in the cluster', (d) => (d.agents[0].meta_data = ['queue=none'])],
  [
    'builds[0].jobs[0].agent: there is no agent "nine" in the organization "acme"',
    (d) => (d.builds[0].jobs[0].agent = 'nine'),
  ],
  ['builds[0].jobs[0].agent: there are several agents "one": name this one by its id', withDuplicate('agents')],
  [
    'builds[1].jobs[0].agent: the agent "one" has a job already, by builds[0].jobs[0].agent',
    (d) => d.builds.push({ ...web, jobs: [{ state: 'accepted', agent: 'one' }] }),
  ],
  [
    'builds[0].jobs[0].cluster_queue: there is no queue "none" in the cluster',
    (d) => (d.builds[0].jobs[0].cluster_queue = 'none'),
  ],
  [
    `builds[0].jobs[0].retried_in_job_id: there is no other job ${id} in the build`,
    (d) => (d.builds[0].jobs[0].retried_in_job_id = id),
  ],
  [
    `builds[0].jobs[0].retried_in_job_id: there is no other job ${id} in the build`,
    (d) => Object.assign(d.builds[0].jobs[0], { id, retried_in_job_id: id }),
  ],
  [
    `builds[0].jobs[1].id: ${id} is the id of another record of the document`,
    (d) => {
      d.builds[0].jobs[0].id = id.toUpperCase();
      d.builds[0].jobs[1].id = id;
    },
  ],
  [
    'builds[2].number: the pipeline has a build 5 already, in builds[1]',
    (d) => d.builds.push({ ...web, number: 5 }, { ...web, number: 5 }),
  ],
  [
    'builds[0].rebuilt_from.number: there is no build with the number 9 in "web"',
    (d) => (d.builds[0].rebuilt_from = { number: 9 }),
  ],
  ['builds[0].blocked: only passed and failed builds can be blocked', (d) => (d.builds[0].blocked = true)],
  ['builds[1].blocked: the pipeline "web" has no block step', (d) => d.builds.push({ ...web, blocked: true })],
];

function withInvalidSignature(d: Document) {
  d.builds[0].jobs[0].step = { signature: { value: '', algorithm: '', signed_fields: ['a', 1] } };
}

function withDuplicate(section: keyof Fixture) {
  return (d: Document) => d[section].push(structuredClone(d[section][0]));
}

const withFault = (applyFault: (document: Document) => unknown): Fixture => {
  const document = structuredClone(baseFixture);
  applyFault(document);
  return document as unknown as Fixture;
};

/** A storage that tells whether anything was asked of it that changes it. */
function spyStorage() {
  const storage = memoryStorage();
  const asked: string[] = [];
  const watch: Storage = {
    ...storage,
    commit(batch) {
      asked.push('commit');
      return storage.commit(batch);
    },
    next(sequence, above) {
      asked.push('next');
      return storage.next(sequence, above);
    },
  };
  return { storage: watch, asked };
}

/** The error that a load is refused with. */
async function refusalOf(load: Promise<unknown>): Promise<ApiError<'fixture.invalid'>> {
  const outcome = await load.catch((error: unknown) => error);
  if (isApiError(outcome, 'fixture.invalid')) return outcome;
  throw new Error('the fixture was not refused', { cause: outcome });
}

for (const [index, [problem, applyFault]] of faults.entries()) {
  test(`fault ${index}: ${problem}`, async (t) => {
    const { storage, asked } = spyStorage();
    const { api } = await emptyService(storage);
    const { output, data } = await refusalOf(api.load(withFault(applyFault)));
    t.is(output.statusCode, 422);
    const isIt = (told: string) => (typeof problem === 'string' ? told === problem : problem.test(told));
    t.true(data.problems?.some(isIt), data.problems?.join('\n'));
    t.true((data.problems?.length ?? 0) <= 3, data.problems?.join('\n'));
    t.deepEqual(asked, []);
    await api.load(baseFixture as Fixture);
  });
}

test('all problems are reported, with their number', async (t) => {
  const { api } = await emptyService();
  const builds = Array.from({ length: 150 }, () => ({ ...web, pipeline: 'none' }));
  const { message, data } = await refusalOf(api.load({ ...baseFixture, builds } as Fixture));
  t.is(data.problems?.length, 100);
  t.is(message, `The fixture can't be loaded: ${data.problems?.[0]} (and 149 more problems)`);
});

test('what exists already stands in the way of what is new', async (t) => {
  const { api } = await emptyService();
  await api.load({ ...baseFixture, access_tokens: [{ id, user: 'ada@acme.test', token }] } as Fixture);
  const { data } = await refusalOf(api.load(baseFixture as Fixture));
  for (const section of ['organizations', 'users', 'clusters', 'queues', 'pipelines', 'suites', 'teams'])
    t.true(
      data.problems?.some((problem) => problem.startsWith(`${section}[0].`) && / already$/.test(problem)),
      section,
    );
  const user = 'ada@acme.test';
  await t.throwsAsync(api.provision.accessToken({ user, token }), { message: /\[0\]\.token is in use already/ });
  await t.throwsAsync(api.provision.accessToken({ user, id }), {
    message: /\[0\]\.id: there is a record .* already/,
  });
  const jobs = [{ state: 'running', agent: 'one' }] as const;
  await t.throwsAsync(api.provision.build({ ...web, jobs }), { message: /the agent "one" has a job already/ });
});

test('a document that is no object is refused', async (t) => {
  const { api } = await emptyService();
  for (const document of [null, [], 'x', 1])
    await t.throwsAsync(api.load(document as never), { message: /The document must be an object/ });
});

test('every document is loaded or rejected with fixture.invalid', async (t) => {
  t.log(`seed ${seed}`);
  const odd = fc.oneof(fc.jsonValue(), fc.constantFrom(null, '', 'acme', 'web', id, '2025-01-01', 0, -1, [], {}));
  const documents = fc.gen().map((g) => {
    const document: Document = structuredClone(baseFixture);
    let at = document;
    for (;;) {
      const keys = Object.keys(at);
      const key = keys[g(fc.nat, { max: Math.max(0, keys.length - 1) })] ?? 'extra';
      const inner = at[key];
      if (typeof inner !== 'object' || inner === null || g(fc.nat, { max: 5 }) === 0) {
        at[key] = g(() => odd);
        return document as Fixture;
      }
      at = inner;
    }
  });
  await fc.assert(
    fc.asyncProperty(documents, async (document) => {
      const { storage, asked } = spyStorage();
      const { api } = await emptyService(storage);
      const outcome = await api.load(document).catch((error: unknown) => error);
      if (!isApiError(outcome, 'fixture.invalid')) {
        if (outcome instanceof Error) throw outcome;
        return;
      }
      if (asked.length > 0) throw new Error(`${asked} was asked of the storage`);
    }),
    { seed, numRuns: scaledRuns(300) },
  );
  t.pass();
});
