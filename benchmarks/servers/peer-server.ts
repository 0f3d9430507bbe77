import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type PeerName, peers } from '../peers/index.js';
import type { Peer, PeerOptions } from '../peers/peer.js';

/** A running peer, which has its own process. */
export interface PeerServer {
  readonly name: PeerName;
  readonly peer: Peer;
  readonly url: string;
  readonly pid: number;
  close(): Promise<void>;
}

export async function startPeer(name: PeerName, peerOptions: PeerOptions): Promise<PeerServer> {
  const peer = await peers[name]();
  const child = fork(fileURLToPath(new URL('../peers/process.js', import.meta.url)), { serialization: 'advanced' });
  child.send({ name, place: peerOptions });
  const ended = once(child, 'exit').then(() => [{ url: '' }]);
  const [{ url }] = (await Promise.race([once(child, 'message'), ended])) as [{ url: string }];
  if (url === '') throw new Error(`The peer ${name} has exited before it was ready`);
  return {
    name,
    peer,
    url,
    pid: child.pid ?? 0,
    close: async () => {
      if (child.connected) child.send('close');
      await ended;
    },
  };
}
