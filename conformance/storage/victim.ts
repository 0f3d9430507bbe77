/**
 * A process that is there to be killed: it opens the storage at a place and writes numbered batches to it, several at once, for as
 * long as it lives. Of each it writes a line when it has been acknowledged: the number of the batch, and that of the sequence.
 */
import { writeSync } from 'node:fs';
import type { Storage } from '../../core/ports/index.js';
import { numbered, sequence } from './numbered.js';

/** What the process is told, in its environment: places may have passwords in them, which a command line would show to all. */
export interface Orders {
  readonly module: string;
  readonly place: string;
  /** The number of its first batch. */
  readonly from: number;
}

const { module, place, from } = JSON.parse(process.env.MILLRACE_VICTIM ?? '{}') as Orders;
const { at } = (await import(module)) as { readonly at: (place: string) => Promise<Storage> | Storage };
const storage = await at(place);
await storage.prepare();
writeSync(1, 'ready\n');

const writers = 4;
let number = from;

async function write(): Promise<never> {
  for (;;) {
    const own = number++;
    const taken = await storage.next(sequence);
    const outcome = await storage.commit(numbered(own).batch);
    if (!('done' in outcome)) throw new Error(`Batch ${own} was refused: ${JSON.stringify(outcome)}`);
    writeSync(1, `${own} ${taken}\n`);
  }
}

await Promise.all(Array.from({ length: writers }, write));
