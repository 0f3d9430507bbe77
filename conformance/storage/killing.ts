import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { HarnessBroke } from '../runner/fault.js';
import { seed } from '../settings.js';
import type { Orders } from './victim.js';

/** A batch that was acknowledged: its number, and that of the sequence that was taken before it. */
export interface Acknowledged {
  readonly number: number;
  readonly taken: number;
}

const program = fileURLToPath(new URL('./victim.js', import.meta.url));

/**
 * Has another process write numbered batches and kills it, without a warning, once so many have been acknowledged: others are
 * being committed at that moment. Gives all that were acknowledged.
 */
export async function killedAfter(count: number, orders: Orders): Promise<Acknowledged[]> {
  const env = { ...process.env, MILLRACE_VICTIM: JSON.stringify(orders), MILLRACE_SEED: String(seed) };
  const child = spawn(process.execPath, [...process.execArgv, program], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  // Nobody is left behind by a run that is ended in the middle.
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  let told = '';
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    told += text;
    if (linesOf(told).length > count) end();
  });
  const [code, signal] = await once(child, 'close');
  process.off('exit', end);
  const [ready, ...lines] = linesOf(told);
  const ending = `ended with ${signal ?? code}: ${complaint.trim()}`;
  if (ready === undefined) throw new HarnessBroke(`The process that was to write ${ending}`);
  if (signal !== 'SIGKILL') throw new Error(`The process that wrote ${ending}`);
  return lines.map((line) => {
    const [number = 0, taken = 0] = line.split(' ').map(Number);
    return { number, taken };
  });
}

/** Lines that came to their end. */
const linesOf = (text: string): string[] => text.split('\n').slice(0, -1);
