import { readdirSync, readFileSync } from 'node:fs';

/** Seconds of processor time that a process and those that descend from it have taken, as `/proc` tells. */
export function processorTime(pid: number | undefined): number {
  if (pid === undefined) return 0;
  let ticks = 0;
  for (const { pid: other, parent, used, ended } of processes()) {
    if (other === pid) ticks += used + ended;
    else if (parent === pid) ticks += used;
  }
  return ticks / ticksPerSecond;
}

/** Bytes of memory that a process has in use; the most it ever had. */
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

function* processes(): Generator<{ pid: number; parent: number; used: number; ended: number }> {
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
      yield { pid: Number(entry), parent, used: user + system, ended: endedUser + endedSystem };
    } catch {
      // It has ended in the meantime.
    }
  }
}
