import type { Result } from '../../../conformance/runner/index.js';

export interface ProgressBar {
  update(result: Result, done: number, total: number): void;
  stop(): void;
}

/** A bar on a terminal that tells which case was last, and how many went wrong; elsewhere nothing. */
export async function createProgressBar(stream: NodeJS.WriteStream, cases: number): Promise<ProgressBar> {
  if (!stream.isTTY || cases < 2) return { update: () => {}, stop: () => {} };
  const { SingleBar, Presets } = await import('cli-progress');
  const format = 'Cases {bar} {value} of {total} | {wrong} wrong | {last}';
  const bar = new SingleBar({ format, stream, clearOnComplete: true, hideCursor: true }, Presets.shades_classic);
  let wrong = 0;
  bar.start(cases, 0, { wrong, last: '' });
  return {
    update({ id, fault }, done) {
      if (fault !== undefined) wrong += 1;
      bar.update(done, { wrong, last: id });
    },
    stop: () => bar.stop(),
  };
}
