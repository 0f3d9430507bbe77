/**
 * A process that is there to be killed: it opens the storage at a place and writes numbered batches to it, several at once, for as
 * long as it lives. Of each it writes a line when it has been acknowledged: the number of the batch, and that of the sequence.
 */
import { writeSync } from 'node:fs';
import type { Storage } from '../../core/ports/index.js';
import { numberedBatch, sequenceName } from './numbered-batch.js';

/** What the process is told, in its environment: places may have passwords in them, which a command line would show to all. */
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
