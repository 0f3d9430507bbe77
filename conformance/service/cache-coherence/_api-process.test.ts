import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ApiClient } from './_api-client.test.js';

/** An Api in a process of its own. */
export interface ApiProcess {
  readonly client: ApiClient;
  /** Ends the process. */
  end(): Promise<void>;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Starts a process, and hands on to it whatever is asked. */
export function startApiProcess(): ApiProcess {
  const child = fork(fileURLToPath(new URL('api-process.test.worker.js', import.meta.url)));
  const waiting = new Map<number, Waiting>();
  let nextId = 0;
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
    client: (question) =>
      new Promise((resolve, reject) => {
        const id = nextId++;
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
