import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Runs a file of this folder in a child process with the given input, and returns the result that it sends. */
export async function runInChildProcess<T>(name: string, input: unknown, execArgv: readonly string[] = []): Promise<T> {
  const file = fileURLToPath(new URL(`${name}.js`, import.meta.url));
  const child = fork(file, { serialization: 'advanced', execArgv: [...execArgv] });
  child.send({ given: input });
  const ended = once(child, 'exit').then(() => [{ error: 'it has exited without a result' }]);
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [{ found?: T; error?: string }];
  if (child.connected) child.disconnect();
  await ended;
  if (message.error !== undefined) throw new Error(`${name}: ${message.error}`);
  return message.found as T;
}

/** In the child process: does the work with the input, and sends the result. */
export function defineWorker<G, T>(work: (input: G) => Promise<T>): void {
  process.once('message', ({ given: input }: { given: G }) => {
    work(input).then(
      (found) => process.send?.({ found }),
      (error: Error) => process.send?.({ error: error.stack ?? String(error) }),
    );
  });
  process.once('disconnect', () => process.exit());
}
