import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, chownSync, cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { findBinaries } from './binaries.js';

// A daemon that runs a database server as long as clients are connected to its socket. All test processes of a run share it. When
// the last client has disconnected, for whatever reason, the daemon stops the server and removes its files.
const [socketPath = ''] = process.argv.slice(2);
const { directory: binaries, user } = findBinaries();
const workDirectory = mkdtempSync(join(tmpdir(), 'millrace-postgres-'));
const clients = new Set<Socket>();
let server: ChildProcess | undefined;
let standby: ChildProcess | undefined;
let shutdownTimer: NodeJS.Timeout | undefined;

/** Without waiting for the disk: the tests do not test the durability of PostgreSQL. */
const settings = ['fsync=off', 'max_connections=300', 'shared_buffers=64MB', 'listen_addresses=127.0.0.1'];

const listener = createServer(acceptClient);
listener.on('error', () => shutDown()); // Another daemon already has the socket.
listener.listen(socketPath);
await once(listener, 'listening');
scheduleShutdown(20_000);
if (user !== undefined) chownSync(workDirectory, user.uid, user.gid);
writeFileSync(join(workDirectory, 'password'), 'millrace');
const port = await freePort();
const initialized = promisify(execFile)(
  join(binaries, 'initdb'),
  [
    '-D',
    join(workDirectory, 'data'),
    '-U',
    'postgres',
    '-A',
    'scram-sha-256',
    '-E',
    'UTF8',
    '--locale=C',
    '--no-sync',
    `--pwfile=${join(workDirectory, 'password')}`,
  ],
  { ...user },
);
const ready = initialized.then(startPrimary).then(() => `postgres://postgres:millrace@127.0.0.1:${port}/postgres`);
ready.catch((error: Error) => {
  for (const client of clients) client.end(`${JSON.stringify({ error: error.message })}\n`);
  shutDown();
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

function acceptClient(client: Socket): void {
  clients.add(client);
  clearTimeout(shutdownTimer);
  client.on('error', () => undefined);
  client.on('close', () => {
    clients.delete(client);
    if (clients.size === 0) scheduleShutdown(1_500);
  });
  void ready.then((url) => client.write(`${JSON.stringify({ url })}\n`));
  createInterface(client).on('line', async (command) => {
    if (command === 'kill') await kill('SIGKILL');
    if (command === 'stop') await kill('SIGINT');
    if (command === 'start') await startPrimary();
    const url = command === 'standby' ? await addStandby() : undefined;
    client.write(`${JSON.stringify({ did: command, url })}\n`);
  });
}

async function startPrimary(): Promise<void> {
  server = await startServer('data', port);
}

/** Creates a standby server that replicates the primary, and returns its URL. */
async function addStandby(): Promise<string> {
  await kill('SIGINT');
  const [from, to] = [join(workDirectory, 'data'), join(workDirectory, 'standby')];
  cpSync(from, to, { recursive: true, preserveTimestamps: true });
  writeFileSync(join(to, 'standby.signal'), '');
  const address = `host=127.0.0.1 port=${port} user=postgres password=millrace`;
  appendFileSync(join(to, 'postgresql.conf'), `primary_conninfo = '${address}'\n`);
  for (const entry of ['', ...readdirSync(to, { recursive: true })]) {
    if (user !== undefined) chownSync(join(to, String(entry)), user.uid, user.gid);
  }
  chmodSync(to, 0o700);
  await startPrimary();
  const standbyPort = await freePort();
  standby = await startServer('standby', standbyPort);
  return `postgres://postgres:millrace@127.0.0.1:${standbyPort}/postgres`;
}

async function startServer(data: string, port: number): Promise<ChildProcess> {
  const options = settings.flatMap((setting) => ['-c', setting]);
  const child = spawn(
    join(binaries, 'postgres'),
    ['-D', join(workDirectory, data), '-p', String(port), '-k', '', ...options],
    {
      ...user,
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    },
  );
  let output = '';
  await new Promise<void>((resolve, reject) => {
    createInterface(child.stderr).on('line', (line) => {
      output = `${output}\n${line}`.slice(-2_000);
      if (/ready to accept (read-only )?connections/.test(line)) resolve();
    });
    child.once('exit', () => reject(new Error(`The server ended: ${output}`)));
  });
  return child;
}

/** Ends the server and its child processes. */
async function kill(signal: 'SIGKILL' | 'SIGINT'): Promise<void> {
  if (server?.pid === undefined || server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  process.kill(signal === 'SIGKILL' ? -server.pid : server.pid, signal);
  await ended;
}

function scheduleShutdown(timeout: number): void {
  shutdownTimer = setTimeout(shutDown, timeout);
}

function shutDown(): void {
  listener.close();
  if (standby?.pid !== undefined) process.kill(-standby.pid, 'SIGKILL');
  void kill('SIGKILL').finally(() => {
    rmSync(workDirectory, { recursive: true, force: true, maxRetries: 5 });
    process.exit();
  });
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
