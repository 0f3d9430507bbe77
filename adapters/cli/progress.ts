import type { WriteStream } from 'node:tty';

export interface Progress {
  /** So many of so many records are written. */
  readonly at: (done: number, total: number) => void;
  end(): void;
}

/** Less than this is loaded before a bar could be read. */
const worthABar = 500;

const silent: Progress = { at: () => {}, end: () => {} };

/** A bar on a terminal, for what takes long enough; otherwise nothing. */
export async function progressOn(stream: WriteStream | NodeJS.WriteStream, records: number): Promise<Progress> {
  if (!stream.isTTY || records < worthABar) return silent;
  const { SingleBar, Presets } = await import('cli-progress');
  const format = 'Loading {bar} {percentage}% | {value} of {total} records | {step}';
  const bar = new SingleBar({ format, stream, clearOnComplete: true, hideCursor: true }, Presets.shades_classic);
  bar.start(records, 0, { step: 'reading' });
  return {
    at: (done, total) => {
      bar.setTotal(total);
      // They are written all at once, when the last one has been read.
      bar.update(done, { step: done < total ? 'reading' : 'writing' });
    },
    end: () => bar.stop(),
  };
}
