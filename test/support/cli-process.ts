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

/** Creates a temporary directory that is removed at the end of the test. */
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

/** A service in its own process. */
export interface ServerProcess {
  readonly ready: Ready;
  readonly child: ChildProcess;
  output(): Omit<ProcessResult, 'code'>;
  /** Sends a signal and resolves with how the process ended. */
  stop(signal?: NodeJS.Signals): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** Sends a request. The default method is GET, or POST with a body. */
  request(path: string, options?: { method?: string; body?: unknown; token?: string }): Promise<HttpResponse>;
}

export interface HttpResponse {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies field by field
  readonly body: any;
}

/** Starts `serve` on a free port and waits for its line of JSON. Kills it at the end of the test if it is still running. */
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
    child.once('close', (code) => reject(new Error(`The process ended with ${code}: ${output().stderr}`)));
  });
}

/** Repeats `probe` until it returns something other than undefined or false. Throws after `seconds`. */
export async function waitUntil<T>(
  condition: string,
  probe: () => Promise<T | undefined | false>,
  seconds = 30,
): Promise<T> {
  const end = performance.now() + seconds * 1_000;
  for (;;) {
    const found = await probe();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error(`Not reached within ${seconds} seconds: ${condition}`);
    await pause(50);
  }
}
