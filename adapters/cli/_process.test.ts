import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import type { Ready } from './announce.js';

export const mainFile = fileURLToPath(new URL('./main.js', import.meta.url));

/** A directory of its own for a test, removed at its end. */
export async function directory(t: ExecutionContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'millrace-cli-'));
  t.teardown(() => rm(path, { recursive: true, force: true }));
  return path;
}

const begin = (args: readonly string[], cwd: string): ChildProcess =>
  spawn(process.execPath, [mainFile, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command to its end. */
export async function run(cwd: string, ...args: readonly string[]): Promise<Outcome> {
  const child = begin(args, cwd);
  const texts = gather(child);
  const [code] = await once(child, 'close');
  return { code, ...texts() };
}

function gather(child: ChildProcess): () => Omit<Outcome, 'code'> {
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
export interface Served {
  readonly ready: Ready;
  readonly child: ChildProcess;
  texts(): Omit<Outcome, 'code'>;
  /** Ends it with a signal; how it ended. */
  end(signal?: NodeJS.Signals): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** Asks the API; a body makes it a POST unless a method is given. */
  ask(path: string, options?: { method?: string; body?: unknown; token?: string }): Promise<Reply>;
}

export interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at a body field by field
  readonly body: any;
}

/** Starts `serve` on a free port, and waits for its line of JSON. It is killed at the end of the test if it still runs. */
export const serve = (t: ExecutionContext, cwd: string, ...args: readonly string[]): Promise<Served> =>
  serveAt(t, cwd, '0', ...args);

export async function serveAt(
  t: ExecutionContext,
  cwd: string,
  port: string,
  ...args: readonly string[]
): Promise<Served> {
  const child = begin(['serve', '--port', port, '--json', ...args], cwd);
  t.teardown(() => child.kill('SIGKILL'));
  const texts = gather(child);
  const line = await firstLine(child, texts);
  const ready = JSON.parse(line) as Ready;
  return {
    ready,
    child,
    texts,
    async end(signal = 'SIGTERM') {
      const closed = once(child, 'close');
      child.kill(signal);
      const [code, by] = await closed;
      return { code, signal: by };
    },
    async ask(path, { method, body, token = ready.token } = {}) {
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

async function firstLine(child: ChildProcess, texts: () => Omit<Outcome, 'code'>): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', () => {
      const end = texts().stdout.indexOf('\n');
      if (end >= 0) resolve(texts().stdout.slice(0, end));
    });
    child.once('close', (code) => reject(new Error(`It ended with ${code}: ${texts().stderr}`)));
  });
}

/** Asks again and again until something is so, or it has taken too long. */
export async function until<T>(what: string, look: () => Promise<T | undefined | false>, seconds = 30): Promise<T> {
  const end = performance.now() + seconds * 1_000;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error(`After ${seconds} seconds still not: ${what}`);
    await pause(50);
  }
}
