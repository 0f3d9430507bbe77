import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import type { Ready } from '../../adapters/cli/ready-message.js';

export const mainFile = fileURLToPath(new URL('../../adapters/cli/main.js', import.meta.url));

/** A directory of its own for a test, removed at its end. */
export async function temporaryDirectory(t: ExecutionContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'millrace-cli-'));
  t.teardown(() => rm(path, { recursive: true, force: true }));
  return path;
}

const spawnCli = (args: readonly string[], cwd: string): ChildProcess =>
  spawn(process.execPath, [mainFile, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });

export interface ProcessResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command to its end. */
export async function runCli(cwd: string, ...args: readonly string[]): Promise<ProcessResult> {
  const child = spawnCli(args, cwd);
  const output = collectOutput(child);
  const [code] = await once(child, 'close');
  return { code, ...output() };
}

function collectOutput(child: ChildProcess): () => Omit<ProcessResult, 'code'> {
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return () => ({ stdout, stderr });
}

/** A service in a process of its own. */
export interface ServerProcess {
  readonly ready: Ready;
  readonly child: ChildProcess;
  output(): Omit<ProcessResult, 'code'>;
  /** Ends it with a signal; how it ended. */
  stop(signal?: NodeJS.Signals): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** Asks the API; a body makes it a POST unless a method is given. */
  request(path: string, options?: { method?: string; body?: unknown; token?: string }): Promise<HttpResponse>;
}

export interface HttpResponse {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at a body field by field
  readonly body: any;
}

/** Starts `serve` on a free port, and waits for its line of JSON. It is killed at the end of the test if it still runs. */
export const startServer = (t: ExecutionContext, cwd: string, ...args: readonly string[]): Promise<ServerProcess> =>
  startServerOnPort(t, cwd, '0', ...args);

export async function startServerOnPort(
  t: ExecutionContext,
  cwd: string,
  port: string,
  ...args: readonly string[]
): Promise<ServerProcess> {
  const child = spawnCli(['serve', '--port', port, '--json', ...args], cwd);
  t.teardown(() => child.kill('SIGKILL'));
  const output = collectOutput(child);
  const line = await firstLine(child, output);
  const ready = JSON.parse(line) as Ready;
  return {
    ready,
    child,
    output,
    async stop(signal = 'SIGTERM') {
      const closed = once(child, 'close');
      child.kill(signal);
      const [code, by] = await closed;
      return { code, signal: by };
    },
    async request(path, { method, body, token = ready.token } = {}) {
      const response = await fetch(`${ready.url}${path}`, {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
    },
  };
}

async function firstLine(child: ChildProcess, output: () => Omit<ProcessResult, 'code'>): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', () => {
      const end = output().stdout.indexOf('\n');
      if (end >= 0) resolve(output().stdout.slice(0, end));
    });
    child.once('close', (code) => reject(new Error(`It ended with ${code}: ${output().stderr}`)));
  });
}

/** Asks again and again until something is so, or it has taken too long. */
export async function waitUntil<T>(
  what: string,
  probe: () => Promise<T | undefined | false>,
  seconds = 30,
): Promise<T> {
  const end = performance.now() + seconds * 1_000;
  for (;;) {
    const found = await probe();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error(`After ${seconds} seconds still not: ${what}`);
    await pause(50);
  }
}
