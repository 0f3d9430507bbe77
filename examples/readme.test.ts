import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import test from 'ava';

const root = new URL('../../', import.meta.url);
const compiled = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const readme = await readFile(new URL('README.md', root), 'utf8');
const blocks = (language: string): string[] =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map((match) => match[1] ?? '');

/** Starts a file of `dist`; resolves with the first line of its output and the process. */
async function start(
  file: string,
  args: string[],
  env: NodeJS.ProcessEnv,
): Promise<[string, ChildProcessWithoutNullStreams]> {
  const child = spawn(process.execPath, [compiled(file), ...args], { env: { ...process.env, ...env } });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return [line, child];
}

async function stop(child: ChildProcessWithoutNullStreams): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

test('the examples of the README are the files that these tests run', async (t) => {
  const [embed, fake] = blocks('ts');
  t.is(await readFile(new URL('examples/embed.ts', root), 'utf8'), embed ?? '');
  t.is(await readFile(new URL('examples/fake.ts', root), 'utf8'), fake ?? '');
});

test('the embedding example serves the API beside its own page', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-readme-'));
  const port = await freePort();
  const [token, child] = await start('examples/embed.js', [], { PORT: String(port), DATABASE: join(folder, 'ci.db') });
  try {
    const user = await fetch(`http://127.0.0.1:${port}/ci/v2/user`, { headers: { authorization: `Bearer ${token}` } });
    t.is(((await user.json()) as { email: string }).email, 'ada@acme.example');
    const own = await fetch(`http://127.0.0.1:${port}/elsewhere`);
    t.is(await own.text(), 'A page of my own');
  } finally {
    await stop(child);
    await rm(folder, { recursive: true });
  }
});

test('the fake service example prints a response', async (t) => {
  const [line, child] = await start('examples/fake.js', [], {});
  t.regex(line, /^200 \d+$/);
  if (child.exitCode === null) await once(child, 'exit');
  t.is(child.exitCode, 0);
});

test('every line of the curl session gives the response in its comment', async (t) => {
  const session = blocks('sh').find((block) => block.startsWith('api()')) ?? '';
  const lines = session.split('\n').filter((line) => line !== '');
  const [ready, child] = await start(
    'adapters/cli/main.js',
    ['serve', '--storage', 'memory', '--port', '0', '--no-simulate', '--json'],
    {},
  );
  const { url, token } = JSON.parse(ready) as { url: string; token: string };
  try {
    const marked = lines.map((line) => `${line}\necho; echo '=== end ==='`).join('\n');
    const parts = (await bash(marked, { API: url, TOKEN: token })).split('=== end ===\n');
    for (const [index, line] of lines.entries()) {
      for (const expected of line.split(/ # /)[1]?.split(' · ') ?? []) {
        t.true(
          parts[index]?.includes(expected),
          `${line}\nexpected ${expected}, received\n${parts[index]?.slice(0, 900)}`,
        );
      }
    }
    t.is(lines.filter((line) => line.includes(' # ')).length, 14);
  } finally {
    await stop(child);
  }
});

async function bash(script: string, env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn('bash', ['-c', script], { env: { ...process.env, ...env } });
  let output = '';
  child.stdout.on('data', (data: Buffer) => {
    output += data.toString();
  });
  child.stderr.pipe(process.stderr);
  await once(child, 'close');
  return output;
}

/** A free port. The example takes a port number, not a server. */
async function freePort(): Promise<number> {
  const { createServer } = await import('node:net');
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
