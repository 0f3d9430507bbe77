import { createHash } from 'node:crypto';
import { type Ids, idsFromBytes } from '../../core/index.js';

/** Ids, secrets and random numbers that repeat for the same seed. Not for production: they are predictable. */
export function seededIds(seed: number): Ids {
  let counter = 0;
  let pool: Uint8Array = new Uint8Array(0);
  const nextBlock = (): Uint8Array => createHash('sha256').update(`${seed}/${counter++}`).digest();
  return idsFromBytes((length) => {
    while (pool.length < length) pool = Buffer.concat([pool, nextBlock()]);
    const bytes = Uint8Array.from(pool.subarray(0, length));
    pool = pool.subarray(length);
    return bytes;
  });
}
