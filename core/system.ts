import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { v7 } from 'uuid';
import type { Clock, Ids } from './ports/index.js';

/**
 * The machine's own time and chance: what an API uses unless the host brings its own. The only file in the core that asks
 * for either.
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  async pause(milliseconds, signal) {
    await pause(milliseconds, undefined, { signal }).catch((error: Error) => {
      if (error.name !== 'AbortError') throw error;
    });
  },
};

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Bytes to identifiers; deterministic as far as its source of bytes is. */
export function idsFrom(bytes: (length: number) => Uint8Array): Ids {
  let lastTime = 0;
  let sequence = 0;
  const next = (now: number): string => {
    sequence = now > lastTime ? new DataView(bytes(4).buffer).getUint32(0) >>> 1 : sequence + 1;
    lastTime = Math.max(now, lastTime);
    return v7({ msecs: lastTime, seq: sequence, random: bytes(16) });
  };
  return {
    take: (count, now) => Array.from({ length: count }, () => next(now)),
    secret(length) {
      let text = '';
      while (text.length < length) {
        // 248 is the largest multiple of 62 in a byte: above it, some characters would come up more often.
        for (const byte of bytes(length)) if (byte < 248 && text.length < length) text += base62.charAt(byte % 62);
      }
      return text;
    },
    chance: () => new DataView(Uint8Array.from(bytes(4)).buffer).getUint32(0) / 2 ** 32,
  };
}

export const systemIds: Ids = idsFrom((length) => Uint8Array.from(randomBytes(length)));
