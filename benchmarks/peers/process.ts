import { type PeerName, peers } from './index.js';
import type { PeerOptions } from './peer.js';

// The process of a peer. It exits with the process that started it.
process.on('disconnect', () => process.exit());
process.once('message', async ({ name, place: peerOptions }: { name: PeerName; place: PeerOptions }) => {
  const peer = await peers[name]();
  const running = await peer.start(peerOptions);
  process.send?.({ url: running.url });
  process.on('message', async () => {
    await running.close();
    process.exit();
  });
});
