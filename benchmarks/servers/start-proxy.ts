import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Starts a proxy that forwards requests to several servers in turn. */
export async function startProxy(urls: readonly string[]): Promise<{ url: string; pid: number; close(): void }> {
  const child = fork(fileURLToPath(new URL('proxy.js', import.meta.url)));
  child.send({ urls });
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return { url, pid: child.pid ?? 0, close: () => child.disconnect() };
}
