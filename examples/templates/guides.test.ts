import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import type { Storage } from 'millrace';
import { storageCases, transportCases } from 'millrace/conformance';
import { fakeService } from 'millrace/fake';
import { memoryStorage } from 'millrace/memory';
import { serve } from 'millrace/node';

const root = new URL('../../../', import.meta.url);
const guides = ['docs/writing-a-storage.md', 'docs/writing-a-transport.md'];
const pages = [...guides, 'docs/conformance.md'];
const read = (path: string) => readFile(new URL(path, root), 'utf8');

const compiled = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

test('every code block in the guides is part of a template', async (t) => {
  const names = (await readdir(new URL('examples/templates/', root))).filter((name) => name.endsWith('.ts'));
  const files = await Promise.all(names.map((name) => read(`examples/templates/${name}`)));
  for (const guide of pages) {
    const pieces = [...(await read(guide)).matchAll(/```ts\n(.*?)```/gs)].map(([, piece = '']) => piece);
    t.true(pieces.length >= 2, guide);
    for (const piece of pieces)
      t.true(
        files.some((file) => file.includes(piece)),
        piece,
      );
  }
});

/** The case ids in the tables of a guide. `.second` is short for another id with the same prefix. */
function documentedCaseIds(guide: string): string[] {
  const cells = [...guide.matchAll(/^\| (`(?:storage|transport)\.[^|]*) \|/gm)].map(([, cell = '']) => cell);
  return cells.flatMap((cell) => {
    const written = [...cell.matchAll(/`([^`]+)`/g)].map(([, id = '']) => id);
    const stem = written[0]?.slice(0, written[0].lastIndexOf('.'));
    return written.map((id) => (id.startsWith('.') ? stem + id : id));
  });
}

const matches = (pattern: string, id: string): boolean =>
  new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*').replace(/<\w+>/, '.+')}$`).test(id);

test('the guides explain every case, and no others', async (t) => {
  for (const [guide, cases] of [
    [guides[0], storageCases],
    [guides[1], transportCases],
  ] as const) {
    const patterns = documentedCaseIds(await read(guide ?? ''));
    const ids = cases.map(({ id }) => id);
    t.deepEqual(
      patterns.filter((pattern) => !ids.some((id) => matches(pattern, id))),
      [],
    );
    t.deepEqual(
      ids.filter((id) => !patterns.some((pattern) => matches(pattern, id))),
      [],
    );
  }
});

/** A storage with only these methods implemented. */
async function partialStorage(methods: readonly string[]): Promise<Storage> {
  const storage = memoryStorage();
  const missing = Object.keys(storage).filter((name) => name !== 'capabilities' && !methods.includes(name));
  const notImplemented = async () => {
    throw new Error('not implemented yet');
  };
  return { ...storage, ...Object.fromEntries(missing.map((name) => [name, notImplemented])) };
}

test('the cases pass in the order of the guide', async (t) => {
  const guide = await read('docs/writing-a-storage.md');
  const cases = storageCases.filter(({ needs = [] }) => needs.every((need) => need === 'reopen'));
  const stages = [...guide.matchAll(/^\| (`[^|.]+`) \| (\d+) \|/gm)];
  const methods: string[] = [];
  const passing = new Set<string>();
  for (const [, names = '', count] of stages) {
    methods.push(...[...names.matchAll(/`(\w+)`/g)].map(([, method = '']) => method));
    const before = passing.size;
    for (const { id, run } of cases) {
      if (passing.has(id)) continue;
      const open = () => partialStorage(methods);
      await run({ storage: open, reopen: open }).then(
        () => passing.add(id),
        () => {},
      );
    }
    t.is(passing.size - before, Number(count), names);
  }
  t.is(passing.size, cases.length);
  t.true(guide.includes(`When the ${cases.length} are green`));
  t.true(guide.includes(`the ${storageCases.length - cases.length} of \`storage.restart\``));
});

const run = (...args: string[]) => promisify(execFile)(process.execPath, args);

test('node:test runs the template', async (t) => {
  const { stdout } = await run('--test', '--test-reporter=tap', compiled('with-node-test.js'));
  t.regex(stdout, new RegExp(`^# pass ${storageCases.length - 1}$`, 'm'));
  t.regex(stdout, /^# skipped 1$/m);
});

test('the command runs the template', async (t) => {
  const command = fileURLToPath(new URL('dist/adapters/cli/main.js', root));
  const { stdout } = await run(
    command,
    'conformance',
    '--storage',
    compiled('json-file-module.js'),
    '--level',
    'storage',
  );
  t.regex(stdout, new RegExp(`^${storageCases.length} cases: ${storageCases.length - 1} passed, 1 skipped`));
});

/** Every line of a page that calls the command, without its comment and `npx`. */
const commandsOn = async (page: string): Promise<string[]> =>
  [...(await read(page)).matchAll(/^(?:npx )?millrace (conformance [^#\n]*)/gm)].map(([, line = '']) => line.trim());

const templates: Readonly<Record<string, string>> = {
  './my-storage.js': compiled('json-file-module.js'),
  './my-transport.js': compiled('minimal-transport-module.js'),
};
const main = fileURLToPath(new URL('dist/adapters/cli/main.js', root));

test('every command in the pages runs with the templates', async (t) => {
  t.timeout(300_000);
  const lines = new Set((await Promise.all(pages.map(commandsOn))).flat());
  t.true(lines.size >= 7);
  const { api, organization, token, close } = await fakeService();
  const server = await serve(api, { host: '127.0.0.1', port: 0 });
  t.teardown(async () => {
    await server.close({ graceMs: 0 });
    await close();
  });
  for (const line of lines) {
    const words = line.split(' ').map((word) => templates[word] ?? word);
    const args = words.map((word) => word.replace(/^https:\S+$/, server.url).replace(/^acme$/, organization));
    // A few cases are enough to show that the options are valid.
    const selection = line.includes('--case') ? [] : ['--case', caseForCommand(line)];
    const env = { ...process.env, MILLRACE_TOKEN: token };
    const { stdout } = await promisify(execFile)(process.execPath, [main, ...args, ...selection], { env });
    t.regex(stdout, /^\d+ cases?: [1-9]\d* passed, 0 skipped/, line);
  }
});

function caseForCommand(line: string): string {
  if (line.includes('--url')) return 'black-box.answers.user';
  if (line.includes('--level storage')) return 'storage.next';
  if (line.includes('--level service')) return 'requests.o';
  return line.includes('--storage') ? 'storage.capabilities' : 'transport.body.with';
}

test('the program in the page runs', async (t) => {
  const { stdout } = await run(compiled('in-a-program.js'));
  t.regex(stdout, /^\d+ cases: \d+ passed, 0 skipped.*\n true\n$/s);
});
