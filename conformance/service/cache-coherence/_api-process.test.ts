import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ApiClient } from './_api-client.test.js';

/** An Api in another process. */
export interface ApiProcess {
  readonly client: ApiClient;
  /** Ends the process. */
  end(): Promise<void>;
}

interface PendingReply {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Starts a process with an Api. The client passes its messages on to it. */
export function startApiProcess(): ApiProcess {
  const child = fork(fileURLToPath(new URL('api-process.test.worker.js', import.meta.url)));
  const pending = new Map<number, PendingReply>();
  let nextId = 0;
  child.on('message', ({ id, value, error }: { id: number; value?: unknown; error?: string }) => {
    const reply = pending.get(id);
    pending.delete(id);
    if (error === undefined) reply?.resolve(value);
    else reply?.reject(new Error(`The other process failed: ${error}`));
  });
  child.on('exit', (code) => {
    for (const { reject } of pending.values()) reject(new Error(`The other process exited with code ${code}`));
  });
  return {
    client: (message) =>
      new Promise((resolve, reject) => {
        const id = nextId++;
        pending.set(id, { resolve, reject });
        child.send({ id, message });
      }),
    async end() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}
