import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { fakeService } from '../adapters/fake/index.js';
import { serve } from '../adapters/node/index.js';
import { operations } from '../core/operations/index.js';

const root = new URL('../../', import.meta.url);
const compiled = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const examples = {
  'docs/client.md': ['client.ts', 'client-in-process.ts'],
  'docs/openapi.md': ['reference.ts'],
  'docs/replacing-parts.md': ['own-parts.ts'],
};

test('the examples in the docs are the files that these tests run', async (t) => {
  for (const [page, files] of Object.entries(examples)) {
    const text = await readFile(new URL(page, root), 'utf8');
    const blocks = [...text.matchAll(/```ts\n(.*?)```/gs)].map((match) => match[1]);
    t.deepEqual(blocks, await Promise.all(files.map((file) => readFile(new URL(`examples/${file}`, root), 'utf8'))));
  }
});

test('files and folders that the glossary names exist', async (t) => {
  const text = await readFile(new URL('docs/glossary.md', root), 'utf8');
  const paths = [...text.matchAll(/`((?:core|adapters|conformance|benchmarks|docs)\/[^`]*)`/g)].map(
    ([, path = '']) => path,
  );
  t.true(paths.length > 60);
  for (const path of paths) await t.notThrowsAsync(access(new URL(path, root)), path);
});

/** Runs an example to its end and returns the lines of its output. */
async function output(name: string, env: NodeJS.ProcessEnv = {}): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [compiled(name)], { env: { ...process.env, ...env } });
  return stdout.trim().split('\n');
}

test('own-parts.ts authenticates a session', async (t) => {
  t.deepEqual(await output('own-parts.js'), ['200']);
});

test('the client creates a build and lists it', async (t) => {
  const service = await fakeService();
  const server = await serve(service.api);
  t.deepEqual(await output('client.js', { API: server.url, TOKEN: service.token }), ['#1 is scheduled', '1 no more']);
  await server.close();
  await service.close();
});

test('the client in process gets a validation error', async (t) => {
  t.deepEqual(await output('client-in-process.js'), ["422 Validation failed: Name can't be blank"]);
});

test('the reference page and the OpenAPI document are served below the prefix', async (t) => {
  const port = await freePort();
  const child = spawn(process.execPath, [compiled('reference.js')], { env: { ...process.env, PORT: String(port) } });
  try {
    const [paths] = (await once(createInterface(child.stdout), 'line')) as [string];
    t.is(Number(paths), new Set(operations.flatMap(({ path, alsoPaths = [] }) => [path, ...alsoPaths])).size);
    const page = await fetch(`http://127.0.0.1:${port}/api/docs`);
    t.regex(await page.text(), /<title>Our CI<\/title>/);
    const document = await fetch(`http://127.0.0.1:${port}/api/v2/openapi.json`);
    t.deepEqual(((await document.json()) as { servers: unknown }).servers, [{ url: 'https://ci.example.com/api' }]);
  } finally {
    await stop(child);
  }
});

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
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
