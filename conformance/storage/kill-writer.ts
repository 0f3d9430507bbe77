import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { seed } from '../property-settings.js';
import { HarnessError } from '../runner/failure.js';
import type { WriterOptions } from './writer-process.js';

/** An acknowledged batch: its number, and the sequence number that was taken before it. */
export interface AcknowledgedBatch {
  readonly number: number;
  readonly sequenceNumber: number;
}

const writerProgram = fileURLToPath(new URL('./writer-process.js', import.meta.url));

/**
 * Starts a process that writes numbered batches, and kills it with SIGKILL after some have been acknowledged, while others are being
 * committed. Returns all acknowledged batches.
 */
export async function killWriterAfter(count: number, writerOptions: WriterOptions): Promise<AcknowledgedBatch[]> {
  const env = { ...process.env, MILLRACE_WRITER: JSON.stringify(writerOptions), MILLRACE_SEED: String(seed) };
  const child = spawn(process.execPath, [...process.execArgv, writerProgram], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // An aborted run must not leave the process behind.
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  let stdoutText = '';
  let stderrText = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderrText += text;
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdoutText += text;
    if (completeLines(stdoutText).length > count) end();
  });
  const [code, signal] = await once(child, 'close');
  process.off('exit', end);
  const [ready, ...lines] = completeLines(stdoutText);
  const exitMessage = `ended with ${signal ?? code}: ${stderrText.trim()}`;
  if (ready === undefined) throw new HarnessError(`The writer process failed to start: it ${exitMessage}`);
  if (signal !== 'SIGKILL') throw new Error(`The writer process failed: it ${exitMessage}`);
  return lines.map((line) => {
    const [number = 0, sequenceNumber = 0] = line.split(' ').map(Number);
    return { number, sequenceNumber };
  });
}

/** The complete lines of the output. */
const completeLines = (text: string): string[] => text.split('\n').slice(0, -1);
