import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Job, Load } from './job.js';

/** A load generator in a process of its own. */
export interface Generator {
  run(job: Job): Promise<Load>;
  close(): void;
}

export async function startGenerator(): Promise<Generator> {
  const child: ChildProcess = fork(fileURLToPath(new URL('process.js', import.meta.url)));
  await once(child, 'message');
  return {
    async run(job) {
      child.send(job);
      const [answer] = (await once(child, 'message')) as [{ load?: Load; error?: string }];
      if (answer.load === undefined) throw new Error(`${job.url}: ${answer.error}`);
      return answer.load;
    },
    close: () => child.disconnect(),
  };
}
