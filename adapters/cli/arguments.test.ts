import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import test from 'ava';
import { runCli, startServer, temporaryDirectory } from '../../test/support/cli-process.js';

const fixture = (document: unknown): string => JSON.stringify(document);
const organization = { slug: 'beta' };

/** Files that exist before the command runs. */
const existingFiles: Readonly<Record<string, string>> = {
  'notes.db': 'These are notes, not a database at all. '.repeat(200),
  'broken.json': '{"organizations": [',
  'list.json': '[]',
  'empty.json': '{}',
  'odd.json': fixture({ organizations: [organization], users: [{ email: 'nobody' }], access_tokens: 7 }),
  'lost.json': fixture({ organizations: [organization], builds: [{ organization: 'beta', pipeline: 'web' }] }),
};

type Row = readonly [args: string, message: RegExp];

const usageErrors: readonly Row[] = [
  ['', /^No command given; see millrace --help$/],
  ['fly', /^Unknown command 'fly'/],
  ['token', /^Unknown command 'token'/],
  ['token fly', /^Unknown command 'token'/],
  ['serve --colour', /^Unknown option '--colour'/],
  ['serve --port', /^Option '--port <value>' argument missing/],
  ['serve --json=yes', /^Option '--json' does not take an argument/],
  ['serve now', /^Unexpected argument 'now'/],
  ['serve --port 1 --port 2', /^Option --port is given more than once$/],
  ['serve --port=', /^Option --port needs a value$/],
  ['serve --port eighty', /^--port must be a number from 0 to 65535, not "eighty"$/],
  ['serve --port 65536', /^--port must be/],
  ['serve --port -1', /--port/],
  [
    'serve --port 0 --host 192.0.2.1',
    /^Cannot listen on 192\.0\.2\.1, port 0: this machine does not have that address$/,
  ],
  ['serve --base-url ci.example.com', /^--base-url must be/],
  ['serve --storage mysql://x', /^--storage must be memory, sqlite:FILE or postgres/],
  ['serve --storage sqlite:', /^--storage must be/],
  [
    'serve --storage postgres://me:secret@127.0.0.1:1/ci --port 0',
    /^Cannot use the PostgreSQL database 127\.0\.0\.1:1\/ci: the server does not accept connections$/,
  ],
  ['serve --transport smoke', /^--transport must be one of node, koa, fetch, not "smoke"$/],
  ['serve --port 0 --storage sqlite:notes.db', /notes\.db: it is not a SQLite database$/],
  [
    'serve --port 0 --storage sqlite:no/such/x.db',
    /^Cannot use the SQLite database no\/such\/x\.db: the directory no\/such does not exist$/,
  ],
  ['serve --port 0 --storage sqlite:folder', /folder: it is a directory$/],
  ['serve --port 0 --fixture none.json', /^Cannot read the fixture none\.json: the file does not exist$/],
  ['serve --port 0 --fixture folder', /^Cannot read the fixture folder: it is a directory$/],
  ['serve --port 0 --fixture broken.json', /^The fixture broken\.json is not JSON/],
  ['serve --port 0 --fixture list.json', /^The fixture list\.json must be an object$/],
  ['serve --port 0 --fixture empty.json', /^The fixture empty\.json has no organizations$/],
  ['serve --port 0 --fixture odd.json', /^The fixture odd\.json can't be loaded: users\[0\]/],
  ['serve --port 0 --fixture lost.json', /^The fixture lost\.json can't be loaded: builds\[0\]/],
  ['token issue', /^Option --user is missing$/],
  ['token issue --user a@b.c', /^Option --organization is missing$/],
  ['token issue --user a@b.c --organization acme --scopes read_all', /^Unknown scope "read_all"/],
  ['token issue --user a@b.c --organization acme', /^The database millrace\.db does not exist$/],
  [
    'token issue --user a@b.c --organization acme --storage memory',
    /^A memory storage can only be used by the process/,
  ],
  ['token issue --user a@b.c --organization acme --storage sqlite:notes.db', /it is not a SQLite database$/],
  ['token revoke', /^TOKEN_OR_ID is missing/],
  ['token revoke a b', /^Unexpected argument 'b'/],
  ['token revoke abc', /^The database millrace\.db does not exist$/],
];

test('a usage error is one line on stderr and exit code 2, and leaves no files behind', async (t) => {
  const cwd = await temporaryDirectory(t);
  await mkdir(join(cwd, 'folder'));
  for (const [name, text] of Object.entries(existingFiles)) await writeFile(join(cwd, name), text);
  const before = (await readdir(cwd)).sort();
  const check = async ([args, message]: Row) => {
    const { code, stdout, stderr } = await runCli(cwd, ...args.split(' ').filter((word) => word !== ''));
    t.is(code, 2, `${args}: ${stderr}`);
    t.is(stdout, '', args);
    t.regex(stderr, /^millrace: [^\n]+\n$/, args);
    t.regex(stderr.slice('millrace: '.length, -1), message, args);
  };
  const remaining = [...usageErrors];
  const work = async () => {
    for (let row = remaining.pop(); row; row = remaining.pop()) await check(row);
  };
  await Promise.all([work(), work(), work()]);
  t.deepEqual((await readdir(cwd)).sort(), before);
});

test('a port in use is an error before anything is written', async (t) => {
  const cwd = await temporaryDirectory(t);
  const occupied = createServer().listen(0, '127.0.0.1');
  t.teardown(() => occupied.close());
  await new Promise((resolve) => occupied.once('listening', resolve));
  const { port } = occupied.address() as { port: number };
  const { code, stdout, stderr } = await runCli(cwd, 'serve', '--port', String(port));
  t.is(code, 2);
  t.is(stdout, '');
  t.is(stderr, `millrace: Port ${port} on 127.0.0.1 is already in use; choose another with --port\n`);
  t.deepEqual(await readdir(cwd), []);
});

test('help and version', async (t) => {
  const cwd = await temporaryDirectory(t);
  for (const [args, text] of [
    ['--help', /token revoke/],
    ['serve --help', /--no-simulate/],
    ['serve --port x --help', /--no-simulate/],
    ['token issue --help', /read_builds/],
    ['token revoke --help', /TOKEN_OR_ID/],
    ['--version', /^\d+\.\d+\.\d+\n$/],
  ] as const) {
    const { code, stdout, stderr } = await runCli(cwd, ...args.split(' '));
    t.is(code, 0, args);
    t.regex(stdout, text, args);
    t.is(stderr, '', args);
  }
});

test('a fixture is loaded once, and a partly loaded one is an error', async (t) => {
  const cwd = await temporaryDirectory(t);
  const beta = { organizations: [organization], users: [{ name: 'Bo', email: 'bo@beta.example' }] };
  await writeFile(join(cwd, 'beta.json'), fixture(beta));
  await writeFile(join(cwd, 'two.json'), fixture({ ...beta, organizations: [organization, { slug: 'gamma' }] }));
  const first = await startServer(t, cwd, '--no-simulate', '--fixture', 'beta.json');
  t.like(first.ready, { organization: 'beta', pipeline: null, suite: null, suite_id: null, team_id: null });
  t.is((await first.request('/v2/organizations/beta/agents')).status, 200);
  await first.stop();
  const second = await startServer(t, cwd, '--no-simulate', '--fixture', 'beta.json');
  t.regex(second.output().stderr, /^The fixture beta\.json is already in the storage/);
  t.is((await second.request('/v2/organizations/beta/agents')).status, 200);
  await second.stop();
  const { code, stderr } = await runCli(cwd, 'serve', '--port', '0', '--fixture', 'two.json');
  t.is(code, 2);
  t.regex(stderr, /loaded in part.*gamma/);
});
