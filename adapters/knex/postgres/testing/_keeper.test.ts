import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, chownSync, cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { findBinaries } from './_binaries.test.js';

// A process of its own that keeps a database server for those who are connected to its socket. The tests of a run share
// it; when the last of them is gone, in whatever way it ended, the server and all of its files go too.
const [socketPath = ''] = process.argv.slice(2);
const { directory: binaries, user } = findBinaries();
const home = mkdtempSync(join(tmpdir(), 'millrace-postgres-'));
const guests = new Set<Socket>();
let server: ChildProcess | undefined;
let standby: ChildProcess | undefined;
let leaving: NodeJS.Timeout | undefined;

/** Writes nothing to the disk that it could wait for: what is tested here is not the server. */
const settings = ['fsync=off', 'max_connections=300', 'shared_buffers=64MB', 'listen_addresses=127.0.0.1'];

const listener = createServer(welcome);
listener.on('error', () => leave()); // Another process was faster.
listener.listen(socketPath);
await once(listener, 'listening');
expectGuests(20_000);
if (user !== undefined) chownSync(home, user.uid, user.gid);
writeFileSync(join(home, 'password'), 'millrace');
const port = await freePort();
const made = promisify(execFile)(
  join(binaries, 'initdb'),
  [
    '-D',
    join(home, 'data'),
    '-U',
    'postgres',
    '-A',
    'scram-sha-256',
    '-E',
    'UTF8',
    '--locale=C',
    '--no-sync',
    `--pwfile=${join(home, 'password')}`,
  ],
  { ...user },
);
const ready = made.then(start).then(() => `postgres://postgres:millrace@127.0.0.1:${port}/postgres`);
ready.catch((error: Error) => {
  for (const guest of guests) guest.end(`${JSON.stringify({ error: error.message })}\n`);
  leave();
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

function welcome(guest: Socket): void {
  guests.add(guest);
  clearTimeout(leaving);
  guest.on('error', () => undefined);
  guest.on('close', () => {
    guests.delete(guest);
    if (guests.size === 0) expectGuests(1_500);
  });
  void ready.then((url) => guest.write(`${JSON.stringify({ url })}\n`));
  createInterface(guest).on('line', async (order) => {
    if (order === 'kill') await kill('SIGKILL');
    if (order === 'stop') await kill('SIGINT');
    if (order === 'start') await start();
    const url = order === 'standby' ? await addStandby() : undefined;
    guest.write(`${JSON.stringify({ did: order, url })}\n`);
  });
}

async function start(): Promise<void> {
  server = await serving('data', port);
}

/** A copy of the server that follows it. */
async function addStandby(): Promise<string> {
  await kill('SIGINT');
  const [from, to] = [join(home, 'data'), join(home, 'standby')];
  cpSync(from, to, { recursive: true, preserveTimestamps: true });
  writeFileSync(join(to, 'standby.signal'), '');
  const address = `host=127.0.0.1 port=${port} user=postgres password=millrace`;
  appendFileSync(join(to, 'postgresql.conf'), `primary_conninfo = '${address}'\n`);
  for (const entry of ['', ...readdirSync(to, { recursive: true })]) {
    if (user !== undefined) chownSync(join(to, String(entry)), user.uid, user.gid);
  }
  chmodSync(to, 0o700);
  await start();
  const place = await freePort();
  standby = await serving('standby', place);
  return `postgres://postgres:millrace@127.0.0.1:${place}/postgres`;
}

async function serving(data: string, port: number): Promise<ChildProcess> {
  const options = settings.flatMap((setting) => ['-c', setting]);
  const child = spawn(join(binaries, 'postgres'), ['-D', join(home, data), '-p', String(port), '-k', '', ...options], {
    ...user,
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  let told = '';
  await new Promise<void>((resolve, reject) => {
    createInterface(child.stderr).on('line', (line) => {
      told = `${told}\n${line}`.slice(-2_000);
      if (/ready to accept (read-only )?connections/.test(line)) resolve();
    });
    child.once('exit', () => reject(new Error(`The server has ended: ${told}`)));
  });
  return child;
}

/** Ends the server and whatever works for it. */
async function kill(signal: 'SIGKILL' | 'SIGINT'): Promise<void> {
  if (server?.pid === undefined || server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  process.kill(signal === 'SIGKILL' ? -server.pid : server.pid, signal);
  await ended;
}

function expectGuests(patience: number): void {
  leaving = setTimeout(leave, patience);
}

function leave(): void {
  listener.close();
  if (standby?.pid !== undefined) process.kill(-standby.pid, 'SIGKILL');
  void kill('SIGKILL').finally(() => {
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
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
