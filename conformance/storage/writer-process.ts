/**
 * The process that the suite kills. It opens the storage at a location and commits numbered batches, several at a time, until it is
 * killed. For each acknowledged batch it prints a line with the number of the batch and its sequence number.
 */
import { writeSync } from 'node:fs';
import type { Storage } from '../../core/ports/index.js';
import { numberedBatch, sequenceName } from './numbered-batch.js';

/** The environment variables of the process. Locations may contain passwords, which a command line would show to other users. */
export interface WriterOptions {
  readonly module: string;
  readonly location: string;
  /** The number of its first batch. */
  readonly firstNumber: number;
}

const { module, location, firstNumber } = JSON.parse(process.env.MILLRACE_WRITER ?? '{}') as WriterOptions;
const { openAt } = (await import(module)) as { readonly openAt: (location: string) => Promise<Storage> | Storage };
const storage = await openAt(location);
await storage.prepare();
writeSync(1, 'ready\n');

const writers = 4;
let number = firstNumber;

async function write(): Promise<never> {
  for (;;) {
    const own = number++;
    const sequenceNumber = await storage.next(sequenceName);
    const outcome = await storage.commit(numberedBatch(own).batch);
    if (!('done' in outcome)) throw new Error(`Batch ${own} was refused: ${JSON.stringify(outcome)}`);
    writeSync(1, `${own} ${sequenceNumber}\n`);
  }
}

await Promise.all(Array.from({ length: writers }, write));
