import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LoadResult, LoadSpec } from './load-spec.js';

/** A load generator, which runs in its own process. */
export interface Generator {
  run(spec: LoadSpec): Promise<LoadResult>;
  close(): void;
}

export async function startGenerator(): Promise<Generator> {
  const child: ChildProcess = fork(fileURLToPath(new URL('process.js', import.meta.url)));
  await once(child, 'message');
  return {
    async run(spec) {
      child.send(spec);
      const [answer] = (await once(child, 'message')) as [{ load?: LoadResult; error?: string }];
      if (answer.load === undefined) throw new Error(`${spec.url}: ${answer.error}`);
      return answer.load;
    },
    close: () => child.disconnect(),
  };
}
