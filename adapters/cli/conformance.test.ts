import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { runCli, startServer, temporaryDirectory } from '../../test/support/cli-process.js';
import { conformanceCommand } from './conformance.js';
import { UsageError } from './usage-error.js';

const memory = new URL('../memory/index.js', import.meta.url).href;
const node = new URL('../node/index.js', import.meta.url).href;
const fetchStyle = new URL('../fetch/index.js', import.meta.url).href;
const suite = new URL('../../conformance/index.js', import.meta.url).href;

/** A storage module with a wrong total, but only for lists of more than two records. */
const wrongCountModule = `
import { memoryStorage } from ${JSON.stringify(memory)};
export default async () => {
  const storage = memoryStorage();
  return { ...storage, async find(...call) {
    const found = await storage.find(...call);
    return found.total > 2 ? { ...found, total: found.total - 1 } : found;
  } };
};
`;

test.serial('the memory storage passes, and the first line counts skipped cases', async (t) => {
  const { code, stdout, stderr } = await runCli(await temporaryDirectory(t), 'conformance', '--case', 'storage.commit');
  t.is(stderr, '');
  t.regex(stdout, /^\d\d cases: \d\d passed, 0 skipped \(0%\)\nstorage memory, seed \d+, [\d.]+ m?s\n$/);
  t.is(code, 0);
});

test.serial(
  'a faulty storage module: the report names the case, the values and a command that replays them',
  async (t) => {
    const cwd = await temporaryDirectory(t);
    await writeFile(join(cwd, 'mine.mjs'), wrongCountModule);
    const prefix = 'storage.find.cluster';
    const reports = ['--report', 'json=out/r.json', '--report', 'junit=out/r.xml', '--report=html=out/r.html'];
    const first = await runCli(
      cwd,
      'conformance',
      '--storage',
      './mine.mjs',
      '--case',
      prefix,
      '--seed',
      '42',
      ...reports,
    );
    t.is(first.code, 1, first.stderr);
    t.regex(first.stdout, /^\d+ cases: \d+ passed, \d+ failed/);
    const { results } = JSON.parse(await readFile(join(cwd, 'out/r.json'), 'utf8'));
    t.regex(await readFile(join(cwd, 'out/r.xml'), 'utf8'), /<failure /);
    t.regex(await readFile(join(cwd, 'out/r.html'), 'utf8'), /^<!doctype html>/);
    const wrong = results.find(({ id }: { id: string }) => id === 'storage.find.cluster.inOrganization.scope');
    t.is(wrong.status, 'Fail');
    t.regex(wrong.fault.got, /total: \d/);
    const [, args = '', replay = ''] =
      /^millrace (conformance --storage .*) --replay '(42\|[\d:]+)'$/.exec(wrong.replay) ?? [];
    t.true(first.stdout.includes(`  replay: ${wrong.replay}\n`));
    const again = await runCli(cwd, ...args.split(' '), '--replay', replay, '--report', 'json=again.json');
    t.is(again.code, 1, again.stderr);
    const [repeated] = JSON.parse(await readFile(join(cwd, 'again.json'), 'utf8')).results;
    t.is(repeated.fault.counterexample, wrong.fault.counterexample);
    t.is(repeated.fault.replay, wrong.fault.replay);
    t.is(repeated.fault.tried.runs, 1);
  },
);

test.serial('a storage that cannot be opened is an error of the cases, not of the command line', async (t) => {
  const cwd = await temporaryDirectory(t);
  await writeFile(join(cwd, 'away.mjs'), `export const storage = () => { throw new Error('no server'); };`);
  const { code, stdout } = await runCli(cwd, 'conformance', '--storage', './away.mjs', '--level', 'storage');
  t.is(code, 1);
  t.regex(stdout, /^\d+ cases: 0 passed, 1 in error, \d+ not reached/);
  t.regex(stdout, /The storage could not be opened: no server/);
});

test.serial('a storage that cannot be prepared is an error of every case that needs one', async (t) => {
  const cwd = await temporaryDirectory(t);
  const text = `import { memoryStorage } from ${JSON.stringify(memory)};
    export default () => ({ ...memoryStorage(), prepare: async () => { throw new Error('no right to make tables'); } });`;
  await writeFile(join(cwd, 'mine.mjs'), text);
  const { code, stdout, stderr } = await runCli(
    cwd,
    'conformance',
    '--storage',
    './mine.mjs',
    '--case',
    'storage.commit.e',
  );
  t.is(code, 1, stderr);
  t.regex(stdout, /^1 case: 0 passed, 1 in error, 0 skipped/);
  t.regex(stdout, /The storage could not be prepared: no right to make tables/);
});

/** Transport modules in the three forms that the suite accepts, and an invalid one. */
const transportModules: Readonly<Record<string, string>> = {
  'listens.mjs': `
    import { serve } from ${JSON.stringify(node)};
    export default (api, { prefix }) => serve(api, { prefix });
    export const capabilities = ['sockets', 'alone'];`,
  'handles.mjs': `
    import { fetchHandler } from ${JSON.stringify(fetchStyle)};
    export const transport = (api, { prefix }) => fetchHandler(api, { prefix });`,
  'sends.mjs': `
    import { inProcessTransport } from ${JSON.stringify(suite)};
    import { fetchHandler } from ${JSON.stringify(fetchStyle)};
    export default async (api, { prefix }) => inProcessTransport(fetchHandler(api, { prefix }));`,
  'odd.mjs': 'export default () => ({ port: 80 });',
};

test.serial('a transport module, alone and with a whole service behind it', async (t) => {
  const cwd = await temporaryDirectory(t);
  for (const [name, text] of Object.entries(transportModules)) await writeFile(join(cwd, name), text);
  const runConformance = (name: string, ...args: string[]) =>
    runCli(cwd, 'conformance', '--transport', `./${name}`, ...args);
  for (const name of ['listens.mjs', 'handles.mjs', 'sends.mjs']) {
    const alone = await runConformance(name, '--case', 'transport.request', '--runs', '0.2');
    t.is(alone.code, 0, alone.stdout + alone.stderr);
    t.regex(alone.stdout, new RegExp(`\\ntransport \\./${name}, seed`));
    t.regex(alone.stdout, /Skip needs raw-targets, which is not declared: 2 cases/);
    const behind = await runConformance(name, '--level', 'service', '--case', 'requests.reads');
    t.regex(behind.stdout, /^1 case: 1 passed, 0 skipped/, behind.stdout + behind.stderr);
  }
  const odd = await runConformance('odd.mjs', '--case', 'transport.request.query');
  t.regex(odd.stdout, /^1 case: 0 passed, 1 in error.*The transport must return \{ port, close \}/s);
});

test.serial('Ctrl-C: finished cases are reported, the others are NotReached', async (t) => {
  const cwd = await temporaryDirectory(t);
  const text = `import { memoryStorage } from ${JSON.stringify(memory)};
    let opened = 0;
    export default () => {
      if (++opened === 5) process.kill(process.pid, 'SIGINT');
      return memoryStorage();
    };`;
  await writeFile(join(cwd, 'mine.mjs'), text);
  const args = ['--storage', './mine.mjs', '--level', 'storage', '--report', 'json=r.json'];
  const { code, stdout, stderr } = await runCli(cwd, 'conformance', ...args);
  t.is(code, 1, stderr);
  t.regex(stdout, /^\d+ cases: [1-5] passed, \d+ not reached/);
  t.regex(stdout, /NotReached the run was ended: \d+ cases/);
  const { counts } = JSON.parse(await readFile(join(cwd, 'r.json'), 'utf8'));
  t.true(counts.NotReached > 100);
});

test.serial('a running service, by its URL', async (t) => {
  const cwd = await temporaryDirectory(t);
  const service = await startServer(t, cwd, '--no-simulate', '--storage', 'sqlite:ci.db');
  const { url, token, organization } = service.ready;
  const runConformance = (...args: string[]) =>
    runCli(cwd, 'conformance', '--url', `${url}/`, '--token', token, '--organization', organization, ...args);
  const readOnly = await runConformance('--read-only');
  t.is(readOnly.code, 0, readOnly.stdout + readOnly.stderr);
  t.regex(
    readOnly.stdout,
    /^\d+ cases: \d+ passed, \d+ skipped \(\d\d%\)\nhttp:.*, organization acme, read only, seed/,
  );
  t.regex(readOnly.stdout, /\nWarning: Most cases were skipped/);
  t.regex(readOnly.stdout, /Skip needs a service that the suite creates, .*: \d\d\d cases/);
  const written = await runConformance('--level', 'black-box');
  t.is(written.code, 0, written.stdout + written.stderr);
  t.regex(written.stdout, /^1\d\d cases: 1\d\d passed, \d skipped/);
  const wrong = await runConformance('--level', 'black-box', '--organization=nobody');
  t.is(wrong.stderr, 'millrace: Option --organization is given more than once\n');
  await service.stop();
  const gone = await runConformance('--level', 'black-box', '--report', 'junit=r.xml');
  t.is(gone.code, 1);
  t.regex(
    gone.stdout,
    /Error black-box\.root \(spec 1\.6\)\n {2}No connection to http:\S+: the connection was refused\n/,
  );
  t.false(gone.stdout.includes(token), 'a token is not printed');
  t.regex(await readFile(join(cwd, 'r.xml'), 'utf8'), /<error type="Error" message="No connection to/);
});

test.serial('one of our own transports', async (t) => {
  const args = ['--transport', 'koa', '--case', 'transport.', '--runs', '0.2'];
  const { code, stdout, stderr } = await runCli(await temporaryDirectory(t), 'conformance', ...args);
  t.is(code, 0, stdout + stderr);
  t.regex(stdout, /transport koa, seed \d+, 0\.2 times the default runs/);
});

const invalidModules: Readonly<Record<string, string>> = {
  'nothing.mjs': 'export const other = 1;',
  'odd.mjs': 'export default () => ({ capabilities: {}, prepare() {}, find() {} });',
  'again.mjs': 'export default () => ({}); export const reopen = 1;',
  'torn.mjs': 'export default (',
  'plain.mjs': 'export default () => undefined;',
  'half.mjs': 'export default () => ({}); export const openAt = () => {};',
  'place.mjs': 'export default () => ({}); export const openAt = () => {}; export const locationOf = "here";',
  'unknown-capability.mjs': "export default () => {}; export const capabilities = ['sockets', 'wings'];",
  'capabilities-text.mjs': "export default () => {}; export const capabilities = 'sockets';",
};

const usageErrors: readonly (readonly [args: string, message: RegExp])[] = [
  ['--storage oracle', /^--storage must be memory, sqlite, postgres:\/\/… or a path to a module such as/],
  ['--storage ./none.mjs', /^The module \.\/none\.mjs does not exist$/],
  ['--storage ./nothing.mjs', /^\.\/nothing\.mjs must export a function as its default or as storage/],
  ['--storage ./odd.mjs', /^\.\/odd\.mjs does not return a storage: it lacks load, select, count, commit, /],
  ['--storage ./plain.mjs', /^\.\/plain\.mjs does not return a storage/],
  ['--storage ./again.mjs', /^\.\/again\.mjs exports reopen, which must be a function/],
  ['--storage ./torn.mjs', /^\.\/torn\.mjs cannot be loaded: SyntaxError/],
  [
    '--storage postgres://127.0.0.1:1/ci',
    /^Cannot use the PostgreSQL database 127\.0\.0\.1:1\/ci: the server does not/,
  ],
  ['--storage ./half.mjs', /^\.\/half\.mjs must export both openAt and locationOf, or neither$/],
  [
    '--storage ./place.mjs',
    /^\.\/place\.mjs exports locationOf, which must be a function from a storage to the location/,
  ],
  ['--transport smoke', /^--transport must be node, koa, fetch or a path to a module such as .*, not "smoke"$/],
  ['--transport ./none.mjs', /^The module \.\/none\.mjs does not exist$/],
  ['--transport ./nothing.mjs', /^\.\/nothing\.mjs must export a function as its default or as transport/],
  ['--transport ./torn.mjs', /^\.\/torn\.mjs cannot be loaded: SyntaxError/],
  [
    '--transport ./unknown-capability.mjs',
    /^\.\/unknown-capability\.mjs declares the capability "wings"; known are sockets, raw-targets, .*, any-method$/,
  ],
  [
    '--transport ./capabilities-text.mjs',
    /^\.\/capabilities-text\.mjs exports capabilities, which must be an array of strings$/,
  ],
  ['--token x', /^--token needs --url$/],
  ['--read-only', /^--read-only needs --url$/],
  ['--level black-box', /^--level black-box needs --url$/],
  [
    '--url http://127.0.0.1 --token x',
    /^--url needs --organization: the slug of an organization that the token can access$/,
  ],
  ['--url http://127.0.0.1 --organization x', /^--url needs --token, or MILLRACE_TOKEN in the environment$/],
  [
    '--url ci.test --token x --organization x',
    /^--url must be an http or https URL without a user and a query, not "ci\.test"$/,
  ],
  ['--url http://a?b --token x --organization x', /^--url must be an http or https URL/],
  ['--url http://a --token x --organization x --storage memory', /has its own storage; remove --storage$/],
  ['--url http://a --token x --organization x --transport koa', /has its own transport; remove --transport$/],
  ['--url http://a --token x --organization x --level storage', /^--level storage cannot be used with --url$/],
  ['--url http://a --token x --organization x --read-only --pipeline y', /^--pipeline is for creating builds/],
  ['--url http://a --token é --organization x', /^--token must consist of/],
  ['--level storage,cellar', /^--level must be some of storage, service, transport, black-box, not "cellar"$/],
  ['--case builds.fly', /^No case id is builds\.fly or begins with it$/],
  ['--seed 1.5', /^--seed must be a 32-bit integer, not "1\.5"$/],
  ['--seed 4294967296', /^--seed must be a 32-bit integer/],
  ['--runs 0', /^--runs must be a number above 0/],
  ['--replay 1|2', /^--replay needs --case$/],
  ['--replay 1|2 --case storage.commit', /^--replay needs exactly one case; \d\d begin with storage\.commit$/],
  ['--replay x --case storage.capabilities.durable', /^--replay must be SEED\|PATH as in a report, not "x"$/],
  ['--replay 1|2 --seed 3 --case x', /^--replay has its own seed; remove --seed$/],
  ['--report pdf=x.pdf', /^--report must be json=FILE, junit=FILE or html=FILE, not "pdf=x\.pdf"$/],
  ['--report json', /^--report must be/],
  ['--seed 1 --seed 2', /^Option --seed is given more than once$/],
  ['now', /^Unexpected argument 'now'/],
];

test.serial('a usage error is one line on stderr and exit code 2', async (t) => {
  const { code, stdout, stderr } = await runCli(await temporaryDirectory(t), 'conformance', '--seed', '1.5');
  t.is(code, 2);
  t.is(stdout, '');
  t.is(stderr, 'millrace: --seed must be a 32-bit integer, not "1.5"\n');
});

test.serial('all usage errors', async (t) => {
  const cwd = await temporaryDirectory(t);
  await Promise.all(Object.entries(invalidModules).map(([name, text]) => writeFile(join(cwd, name), text)));
  for (const [args, message] of usageErrors) {
    const commandLine = args.replace(' ./', ` ${cwd}/`).split(' ');
    const error = await t.throwsAsync(conformanceCommand.run(commandLine), { instanceOf: UsageError }, args);
    t.notRegex(error?.message ?? '', /\n/, args);
    t.regex(error?.message.replaceAll(`${cwd}/`, './') ?? '', message, args);
  }
});
