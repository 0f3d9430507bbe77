import { existsSync, readdirSync, readFileSync } from 'node:fs';

/**
 * Seconds of processor time that a process and its child processes have used, as `/proc` tells them: 0 where there is no
 * `/proc`. Children that have ended count too.
 */
export function processorTime(pid: number | undefined): number {
  if (pid === undefined || !existsSync('/proc/self/stat')) return 0;
  let seconds = 0;
  for (const { pid: other, parent, used, ended } of processes()) {
    if (other === pid) seconds += (threadTime(other) ?? used) + ended;
    else if (parent === pid) seconds += threadTime(other) ?? used;
  }
  return seconds;
}

/** Bytes of memory that a process uses now, and the most that it ever used. */
export function memoryOf(pid: number): { readonly now: number; readonly most: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const of = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1_024;
    return { now: of('VmRSS'), most: of('VmHWM') };
  } catch {
    return { now: 0, most: 0 };
  }
}

const ticksPerSecond = 100;

/**
 * Seconds that the threads of a process have used, in nanoseconds' precision: the ticks in `stat` are 10 ms long, too
 * coarse for a short turn. Undefined where the kernel does not tell. Threads that have ended are missing, which is no
 * loss here: neither Node nor PostgreSQL ends threads while it serves.
 */
function threadTime(pid: number): number | undefined {
  try {
    let nanoseconds = 0;
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
    }
    return nanoseconds / 1e9;
  } catch {
    return undefined;
  }
}

interface ProcessTime {
  readonly pid: number;
  readonly parent: number;
  /** Seconds that the process has used, and that its ended children have used. */
  readonly used: number;
  readonly ended: number;
}

function* processes(): Generator<ProcessTime> {
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const text = readFileSync(`/proc/${entry}/stat`, 'utf8');
      const fields = text
        .slice(text.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map(
        (index) => fields[index],
      );
      yield {
        pid: Number(entry),
        parent,
        used: (user + system) / ticksPerSecond,
        ended: (endedUser + endedSystem) / ticksPerSecond,
      };
    } catch {
      // The process has ended in the meantime.
    }
  }
}
