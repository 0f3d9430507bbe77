import { MultiBar, Presets, type SingleBar } from 'cli-progress';

/** Shows the progress of a run. */
export interface Progress {
  begin(step: string, total: number): void;
  update(done: number): void;
  end(): void;
  /** Prints one line of text. */
  log(line: string): void;
}

/** A progress bar on a terminal; otherwise one line per step. */
export function createProgress(stream: NodeJS.WriteStream): Progress {
  const began = performance.now();
  const stamp = () => `${String(Math.round((performance.now() - began) / 1_000)).padStart(4)} s  `;
  const log = (line: string) => void stream.write(`${stamp()}${line}\n`);
  if (!stream.isTTY) {
    return { begin: (step, total) => log(`${step}: ${total}`), update: () => {}, end: () => {}, log };
  }
  const bars = new MultiBar(
    { stream, format: '{step} {bar} {percentage}% | {value} of {total}', clearOnComplete: true },
    Presets.shades_classic,
  );
  let bar: SingleBar | undefined;
  return {
    begin: (step, total) => {
      bar = bars.create(total, 0, { step });
    },
    update: (done) => bar?.update(done),
    end: () => {
      if (bar) bars.remove(bar);
      bars.update();
    },
    log,
  };
}

export const silentProgress: Progress = { begin: () => {}, update: () => {}, end: () => {}, log: () => {} };
