import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Side } from './_side.test.js';

/** An Api in a process of its own. */
export interface Neighbour {
  readonly side: Side;
  /** Ends the process. */
  end(): Promise<void>;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Starts a process, and hands on to it whatever is asked. */
export function neighbour(): Neighbour {
  const child = fork(fileURLToPath(new URL('neighbour.test.worker.js', import.meta.url)));
  const waiting = new Map<number, Waiting>();
  let asked = 0;
  child.on('message', ({ id, value, broken }: { id: number; value?: unknown; broken?: string }) => {
    const one = waiting.get(id);
    waiting.delete(id);
    if (broken === undefined) one?.resolve(value);
    else one?.reject(new Error(`The other process: ${broken}`));
  });
  child.on('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`The other process has ended with ${code}`));
  });
  return {
    side: (question) =>
      new Promise((resolve, reject) => {
        const id = asked++;
        waiting.set(id, { resolve, reject });
        child.send({ id, question });
      }),
    async end() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}
