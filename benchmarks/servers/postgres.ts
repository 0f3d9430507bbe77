import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, chownSync, cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { type Binaries, findBinaries } from '../../test/support/postgres/binaries.js';
import { freePort } from './free-port.js';

/** A PostgreSQL server for the benchmarks. */
export interface PostgresServer {
  /** The address of its database `postgres`. */
  readonly url: string;
  readonly version: string;
  /** The process whose children are all other processes of the server; undefined for a server of `DATABASE_URL`. */
  readonly pid: number | undefined;
  /** Starts a standby on a copy of this server's files. This server is stopped while they are copied. */
  addStandby(): Promise<{ readonly url: string; readonly pid: number }>;
  close(): Promise<void>;
}

/**
 * Starts a server with the default settings of PostgreSQL: every commit waits for the disk (`fsync` and
 * `synchronous_commit` are on). If `DATABASE_URL` is set, that server is used instead. `maxConnections` is for many
 * processes that each have a pool.
 */
export async function startPostgres({ maxConnections = 100 } = {}): Promise<PostgresServer> {
  const databaseUrl = process.env.DATABASE_URL;
  if (databaseUrl !== undefined)
    return {
      url: databaseUrl,
      version: 'of DATABASE_URL',
      pid: undefined,
      addStandby: rejectStandby,
      close: async () => {},
    };
  const binaries = findBinaries();
  const home = mkdtempSync(join(tmpdir(), 'millrace-bench-postgres-'));
  const data = join(home, 'data');
  const { user, directory } = binaries;
  if (user !== undefined) chownSync(home, user.uid, user.gid);
  writeFileSync(join(home, 'password'), 'millrace');
  const run = promisify(execFile);
  const authArguments = ['-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${join(home, 'password')}`];
  await run(join(directory, 'initdb'), ['-D', data, '-E', 'UTF8', '--locale=C', ...authArguments], { ...user });
  const { stdout } = await run(join(directory, 'postgres'), ['--version'], { ...user });
  const port = await freePort();
  let server = await startServer(binaries, data, port, maxConnections);
  const standbys: ChildProcess[] = [];
  const kill = () => {
    for (const child of [server, ...standbys]) child.kill('SIGKILL');
    // The children of a killed server end a moment later, and may write files until then.
    rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  process.on('exit', kill);
  return {
    url: urlOf(port),
    version: stdout
      .trim()
      .replace(/^.*\) /, '')
      .replace('PostgreSQL) ', ''),
    get pid() {
      return server.pid;
    },
    async addStandby() {
      await stopServer(server);
      const copy = join(home, 'standby');
      cpSync(data, copy, { recursive: true, preserveTimestamps: true });
      writeFileSync(join(copy, 'standby.signal'), '');
      const primary = `host=127.0.0.1 port=${port} user=postgres password=millrace`;
      appendFileSync(join(copy, 'postgresql.conf'), `primary_conninfo = '${primary}'\n`);
      for (const entry of ['', ...readdirSync(copy, { recursive: true })]) {
        if (user !== undefined) chownSync(join(copy, String(entry)), user.uid, user.gid);
      }
      chmodSync(copy, 0o700);
      server = await startServer(binaries, data, port, maxConnections);
      const standbyPort = await freePort();
      const standby = await startServer(binaries, copy, standbyPort, maxConnections);
      standbys.push(standby);
      return { url: urlOf(standbyPort), pid: standby.pid ?? 0 };
    },
    async close() {
      for (const child of [...standbys, server]) await stopServer(child);
      rmSync(home, { recursive: true, force: true });
      process.off('exit', kill);
    },
  };
}

const urlOf = (port: number): string => `postgres://postgres:millrace@127.0.0.1:${port}/postgres`;

async function rejectStandby(): Promise<never> {
  throw new Error('The server of DATABASE_URL cannot be copied for a standby');
}

async function startServer(
  { directory, user }: Binaries,
  data: string,
  port: number,
  maxConnections: number,
): Promise<ChildProcess> {
  const settings = ['listen_addresses=127.0.0.1', `max_connections=${maxConnections}`].flatMap((one) => ['-c', one]);
  const child = spawn(join(directory, 'postgres'), ['-D', data, '-p', String(port), '-k', '', ...settings], {
    ...user,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  await new Promise<void>((resolve, reject) => {
    createInterface(child.stderr).on('line', (line) => {
      log = `${log}\n${line}`.slice(-2_000);
      if (/ready to accept (read-only )?connections/.test(line)) resolve();
    });
    child.once('exit', () => reject(new Error(`PostgreSQL has exited: ${log}`)));
  });
  return child;
}

/** Stops a server and waits until it has written everything to the disk. */
async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  await ended;
}
