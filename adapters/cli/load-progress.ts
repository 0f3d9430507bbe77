import type { WriteStream } from 'node:tty';

export interface LoadProgress {
  /** Shows that `done` of `total` records have been read. */
  readonly update: (done: number, total: number) => void;
  stop(): void;
}

/** Fewer records load too fast for a bar to be useful. */
const minRecordsForBar = 500;

const noProgress: LoadProgress = { update: () => {}, stop: () => {} };

/** A progress bar if the stream is a terminal and there are many records; otherwise writes nothing. */
export async function createLoadProgress(
  stream: WriteStream | NodeJS.WriteStream,
  records: number,
): Promise<LoadProgress> {
  if (!stream.isTTY || records < minRecordsForBar) return noProgress;
  const { SingleBar, Presets } = await import('cli-progress');
  const format = 'Loading {bar} {percentage}% | {value} of {total} records | {step}';
  const bar = new SingleBar({ format, stream, clearOnComplete: true, hideCursor: true }, Presets.shades_classic);
  bar.start(records, 0, { step: 'reading' });
  return {
    update: (done, total) => {
      bar.setTotal(total);
      // All records are written in one commit after the last one has been read.
      bar.update(done, { step: done < total ? 'reading' : 'writing' });
    },
    stop: () => bar.stop(),
  };
}
