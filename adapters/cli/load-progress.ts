import type { WriteStream } from 'node:tty';

export interface LoadProgress {
  /** So many of so many records are written. */
  readonly update: (done: number, total: number) => void;
  stop(): void;
}

/** Less than this is loaded before a bar could be read. */
const minRecordsForBar = 500;

const noProgress: LoadProgress = { update: () => {}, stop: () => {} };

/** A bar on a terminal, for what takes long enough; otherwise nothing. */
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
      // They are written all at once, when the last one has been read.
      bar.update(done, { step: done < total ? 'reading' : 'writing' });
    },
    stop: () => bar.stop(),
  };
}
