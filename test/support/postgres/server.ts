import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const daemonPath = fileURLToPath(new URL('server-daemon.js', import.meta.url));

/** A server that runs until all its users have released it. */
export interface Server {
  readonly url: string;
  /** Stops the server (`kill`: with SIGKILL) or starts it again with the same port and data. */
  control(command: 'kill' | 'stop' | 'start'): Promise<void>;
  /** Creates a standby server that replicates this one. Restarts this server. */
  addStandby(): Promise<string>;
  release(): void;
}

/** The server that all tests of this checkout share. */
export const sharedServer = (): Promise<Server> => serverAt('shared');

/** A server for one test only, which may stop it. */
export const ownServer = (): Promise<Server> => serverAt(`own-${process.pid}-${++ownServerCount}`);

let ownServerCount = 0;

async function serverAt(name: string): Promise<Server> {
  const checkout = createHash('sha256').update(daemonPath).digest('hex').slice(0, 12);
  const path = join(tmpdir(), `millrace-${checkout}-${name}.sock`);
  for (let attempt = 1; ; attempt++) {
    const socket = await tryConnect(path);
    if (socket === undefined) {
      if (attempt > 200) throw new Error(`There is no server daemon at ${path}`);
      if (attempt === 1) spawn(process.execPath, [daemonPath, path], { detached: true, stdio: 'ignore' }).unref();
      await pause(50);
      continue;
    }
    const server = await handshake(socket);
    if (server !== undefined) return server;
    // The daemon was about to end.
    attempt = 0;
    await pause(100);
  }
}

function tryConnect(path: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path, () => resolve(socket));
    socket.on('error', (error) => {
      // A killed daemon has left its socket file behind.
      if ('code' in error && error.code === 'ECONNREFUSED') rmSync(path, { force: true });
      resolve(undefined);
    });
  });
}

async function handshake(socket: Socket): Promise<Server | undefined> {
  const lines = createInterface(socket)[Symbol.asyncIterator]();
  const readReply = async (): Promise<{ url?: string; error?: string } | undefined> => {
    const { value, done } = await lines.next();
    return done ? undefined : JSON.parse(value);
  };
  const first = await readReply();
  if (first?.error !== undefined) throw new Error(first.error);
  if (first?.url === undefined) return undefined;
  socket.unref();
  const sendCommand = async (command: string) => {
    socket.ref();
    socket.write(`${command}\n`);
    const reply = await readReply();
    socket.unref();
    return reply?.url ?? '';
  };
  return {
    url: first.url,
    control: async (command) => {
      await sendCommand(command);
    },
    addStandby: () => sendCommand('standby'),
    release: () => socket.destroy(),
  };
}
