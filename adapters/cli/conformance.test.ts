import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { directory, run } from './_process.test.js';
import { Complaint } from './complaint.js';
import { conformanceCommand } from './conformance.js';

const memory = new URL('../memory/index.js', import.meta.url).href;

/** A module with a storage that counts wrong, but only on pages of more than two records. */
const counting = `
import { memoryStorage } from ${JSON.stringify(memory)};
export default async () => {
  const storage = memoryStorage();
  return { ...storage, async find(...call) {
    const found = await storage.find(...call);
    return found.total > 2 ? { ...found, total: found.total - 1 } : found;
  } };
};
`;

test.serial('our own storage passes, and the first line says how much was skipped', async (t) => {
  const { code, stdout, stderr } = await run(await directory(t), 'conformance', '--case', 'storage.commit');
  t.is(stderr, '');
  t.regex(stdout, /^\d\d cases: \d\d passed, 0 skipped \(0%\)\nstorage memory, seed \d+, [\d.]+ m?s\n$/);
  t.is(code, 0);
});

test.serial(
  'a storage of ones own that is wrong: the case, the values, and a line that brings them about again',
  async (t) => {
    const cwd = await directory(t);
    await writeFile(join(cwd, 'mine.mjs'), counting);
    const prefix = 'storage.find.cluster';
    const reports = ['--report', 'json=out/r.json', '--report', 'junit=out/r.xml', '--report=html=out/r.html'];
    const first = await run(
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
    const again = await run(cwd, ...args.split(' '), '--replay', replay, '--report', 'json=again.json');
    t.is(again.code, 1, again.stderr);
    const [repeated] = JSON.parse(await readFile(join(cwd, 'again.json'), 'utf8')).results;
    t.is(repeated.fault.counterexample, wrong.fault.counterexample);
    t.is(repeated.fault.replay, wrong.fault.replay);
    t.is(repeated.fault.tried.runs, 1);
  },
);

test.serial('a storage that cannot be opened is an error, and no complaint about the command line', async (t) => {
  const cwd = await directory(t);
  await writeFile(join(cwd, 'away.mjs'), `export const storage = () => { throw new Error('no server'); };`);
  const { code, stdout } = await run(cwd, 'conformance', '--storage', './away.mjs', '--level', 'storage');
  t.is(code, 1);
  t.regex(stdout, /^\d+ cases: 0 passed, 1 in error, \d+ not reached/);
  t.regex(stdout, /The storage could not be opened: no server/);
});

test.serial('a transport', async (t) => {
  const args = ['--transport', 'koa', '--case', 'transport.', '--runs', '0.2'];
  const { code, stdout, stderr } = await run(await directory(t), 'conformance', ...args);
  t.is(code, 0, stdout + stderr);
  t.regex(stdout, /transport koa, seed \d+, 0\.2 times the usual runs/);
});

const modules: Readonly<Record<string, string>> = {
  'nothing.mjs': 'export const other = 1;',
  'odd.mjs': 'export default () => ({ claims: {}, prepare() {}, find() {} });',
  'again.mjs': 'export default () => ({}); export const again = 1;',
  'torn.mjs': 'export default (',
  'plain.mjs': 'export default () => undefined;',
};

const complaints: readonly (readonly [args: string, complaint: RegExp])[] = [
  ['--storage oracle', /^--storage must be memory, sqlite, postgres:\/\/… or a path to a module such as/],
  ['--storage ./none.mjs', /^There is no module \.\/none\.mjs$/],
  ['--storage ./nothing.mjs', /^\.\/nothing\.mjs must export a function as its default or as storage/],
  ['--storage ./odd.mjs', /^\.\/odd\.mjs makes something that is no storage: it has no load, select, commit, /],
  ['--storage ./plain.mjs', /^\.\/plain\.mjs makes something that is no storage/],
  ['--storage ./again.mjs', /^\.\/again\.mjs exports again, which must be a function/],
  ['--storage ./torn.mjs', /^\.\/torn\.mjs cannot be loaded: SyntaxError/],
  [
    '--storage postgres://127.0.0.1:1/ci',
    /^Cannot use the PostgreSQL database 127\.0\.0\.1:1\/ci: the server does not/,
  ],
  ['--transport smoke', /^--transport must be one of node, koa, fetch, not "smoke"$/],
  ['--level storage,cellar', /^--level must be some of storage, service, transport, not "cellar"$/],
  ['--case builds.fly', /^No case is called builds\.fly, or begins so$/],
  ['--seed 1.5', /^--seed must be a whole number of 32 bits, not "1\.5"$/],
  ['--seed 4294967296', /^--seed must be a whole number of 32 bits/],
  ['--runs 0', /^--runs must be a number above 0/],
  ['--replay 1|2', /^--replay needs --case$/],
  ['--replay 1|2 --case storage.commit', /^--replay is for one case; \d\d begin with storage\.commit$/],
  ['--replay x --case storage.claims.durable', /^--replay must be SEED\|PATH as a report has it, not "x"$/],
  ['--replay 1|2 --seed 3 --case x', /^--replay has its own seed; leave --seed away$/],
  ['--report pdf=x.pdf', /^--report must be json=FILE, junit=FILE or html=FILE, not "pdf=x\.pdf"$/],
  ['--report json', /^--report must be/],
  ['--seed 1 --seed 2', /^Option --seed is given more than once$/],
  ['now', /^Unexpected argument 'now'/],
];

test.serial('a complaint is one line on stderr and exit code 2', async (t) => {
  const { code, stdout, stderr } = await run(await directory(t), 'conformance', '--seed', '1.5');
  t.is(code, 2);
  t.is(stdout, '');
  t.is(stderr, 'millrace: --seed must be a whole number of 32 bits, not "1.5"\n');
});

test.serial('what is complained of', async (t) => {
  const cwd = await directory(t);
  await Promise.all(Object.entries(modules).map(([name, text]) => writeFile(join(cwd, name), text)));
  for (const [args, complaint] of complaints) {
    const placed = args.replace(' ./', ` ${cwd}/`).split(' ');
    const error = await t.throwsAsync(conformanceCommand.run(placed), { instanceOf: Complaint }, args);
    t.notRegex(error?.message ?? '', /\n/, args);
    t.regex(error?.message.replaceAll(`${cwd}/`, './') ?? '', complaint, args);
  }
});
