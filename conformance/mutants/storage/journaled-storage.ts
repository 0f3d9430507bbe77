import { appendFileSync, readFileSync } from 'node:fs';
import { type Batch, type Storage, StorageUnavailable } from '../../../core/ports/index.js';

/**
 * How a commit is written to the file. `append` writes a part of it. The commit is acknowledged when the function resolves; all of
 * it is in the file when `written` resolves.
 */
export type AppendCommit = (
  append: (part: Batch) => void,
  batch: Batch,
) => Promise<{ readonly written: Promise<void> }>;

const appendWhole: AppendCommit = async (append, batch) => {
  append(batch);
  return { written: Promise.resolve() };
};

type JournalLine =
  | { readonly batch: Batch }
  | { readonly next: string; readonly above?: number }
  | { readonly forget: number };

/**
 * Makes a storage in memory durable: it writes every change as a line of a file, and repeats the changes when it opens the file.
 * Mutants of it have faults that show only when a process is killed.
 */
export function journaledStorage(inner: Storage, filename: string, appendCommit: AppendCommit = appendWhole): Storage {
  let opening: Promise<void> | undefined;
  let isClosed = false;
  let written: Promise<unknown> = Promise.resolve();
  const append = (line: JournalLine) => appendFileSync(filename, `${JSON.stringify(line)}\n`);

  async function open(): Promise<void> {
    await inner.prepare();
    for (const line of readJournal(filename)) {
      if ('batch' in line) await inner.commit(line.batch);
      else if ('next' in line) await inner.next(line.next, line.above);
      else await inner.forgetEvents(line.forget);
    }
  }

  return {
    ...inner,
    capabilities: { name: 'logged', durable: true, shared: false },
    async prepare() {
      if (isClosed) throw new StorageUnavailable('The storage is closed');
      opening ??= open();
      await opening;
    },
    async commit(batch) {
      const outcome = await inner.commit(batch);
      if (!('done' in outcome)) return outcome;
      const appended = await appendCommit((part) => append({ batch: part }), batch);
      written = Promise.all([written, appended.written]);
      return outcome;
    },
    async next(name, above) {
      const number = await inner.next(name, above);
      append({ next: name, ...(above === undefined ? {} : { above }) });
      return number;
    },
    async forgetEvents(upTo) {
      await inner.forgetEvents(upTo);
      append({ forget: upTo });
    },
    async close() {
      await written;
      isClosed = true;
      await inner.close();
    },
  };
}

/** The complete lines of the file. The last line may be incomplete, because a process was killed while it wrote it. */
function readJournal(filename: string): JournalLine[] {
  try {
    const lines = readFileSync(filename, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return [];
  }
}
