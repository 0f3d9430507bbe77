import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import type { Machine } from './result.js';

/** Starts to observe the machine. The returned function describes the machine and its load since then. */
export function watchMachine(): (postgres: string) => Machine {
  const [loadBefore = 0] = loadavg();
  const before = cpuTicks();
  const own = ownCpuTicks();
  const began = performance.now();
  return (postgres) => {
    const after = cpuTicks();
    const others = Math.max(0, after.busy - before.busy - (ownCpuTicks() - own)) / Math.max(1, after.all - before.all);
    return {
      date: new Date().toISOString(),
      commit: commitOf(),
      processor: cpus()[0]?.model ?? 'unknown',
      cores: cpus().length,
      memory: totalmem(),
      system: `${type()} ${release()}`,
      node: process.version,
      postgres,
      loadBefore,
      loadAfter: loadavg()[0] ?? 0,
      others,
      seconds: (performance.now() - began) / 1_000,
    };
  };
}

/** Clock ticks of all processors since boot: busy ones, and all. */
function cpuTicks(): { readonly busy: number; readonly all: number } {
  try {
    const [, ...ticks] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').split(/\s+/).map(Number);
    const all = ticks.slice(0, 8).reduce((sum, one) => sum + one, 0);
    return { busy: all - (ticks[3] ?? 0) - (ticks[4] ?? 0), all };
  } catch {
    return { busy: 0, all: 0 };
  }
}

/** Clock ticks used by this process and by its descendants that have ended. */
function ownCpuTicks(): number {
  try {
    const text = readFileSync('/proc/self/stat', 'utf8');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    return [11, 12, 13, 14].reduce((sum, index) => sum + (fields[index] ?? 0), 0);
  } catch {
    return 0;
  }
}

function commitOf(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return 'unknown';
  }
}
