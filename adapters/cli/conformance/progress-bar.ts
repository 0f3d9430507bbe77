import type { Result } from '../../../conformance/runner/index.js';

export interface ProgressBar {
  update(result: Result, done: number, total: number): void;
  stop(): void;
}

/** A progress bar with the last case and the number of failures. Writes nothing unless the stream is a terminal. */
export async function createProgressBar(stream: NodeJS.WriteStream, cases: number): Promise<ProgressBar> {
  if (!stream.isTTY || cases < 2) return { update: () => {}, stop: () => {} };
  const { SingleBar, Presets } = await import('cli-progress');
  const format = 'Cases {bar} {value} of {total} | {failed} failed | {last}';
  const bar = new SingleBar({ format, stream, clearOnComplete: true, hideCursor: true }, Presets.shades_classic);
  let failed = 0;
  bar.start(cases, 0, { failed, last: '' });
  return {
    update({ id, fault }, done) {
      if (fault !== undefined) failed += 1;
      bar.update(done, { failed, last: id });
    },
    stop: () => bar.stop(),
  };
}
