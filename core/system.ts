import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { v7 } from 'uuid';
import type { Clock, Ids } from './ports/index.js';

/**
 * The system clock and random source, which an API uses by default. Only this file in the core reads them.
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(milliseconds, signal) {
    await pause(milliseconds, undefined, { signal }).catch((error: Error) => {
      if (error.name !== 'AbortError') throw error;
    });
  },
};

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Makes ids from random bytes. Deterministic if the source of bytes is. */
export function idsFromBytes(bytes: (length: number) => Uint8Array): Ids {
  let lastTime = 0;
  let sequence = 0;
  const next = (now: number): string => {
    sequence = now > lastTime ? new DataView(bytes(4).buffer).getUint32(0) >>> 1 : sequence + 1;
    lastTime = Math.max(now, lastTime);
    return v7({ msecs: lastTime, seq: sequence, random: bytes(16) });
  };
  return {
    uuids: (count, now) => Array.from({ length: count }, () => next(now)),
    secret(length) {
      let text = '';
      while (text.length < length) {
        // 248 is the largest multiple of 62 in a byte. Larger values would make some characters more likely.
        for (const byte of bytes(length)) if (byte < 248 && text.length < length) text += base62.charAt(byte % 62);
      }
      return text;
    },
    random: () => new DataView(Uint8Array.from(bytes(4)).buffer).getUint32(0) / 2 ** 32,
  };
}

export const systemIds: Ids = idsFromBytes(bufferedRandomBytes());

/** Random bytes of the system, fetched in blocks, because a system call for the id of every request would be slow. */
function bufferedRandomBytes(): (length: number) => Uint8Array {
  let portion: Uint8Array = new Uint8Array(0);
  let taken = 0;
  return (length) => {
    if (taken + length > portion.length) {
      portion = randomBytes(Math.max(randomBufferSize, length));
      taken = 0;
    }
    taken += length;
    // A copy, since the rest of the buffer must stay secret.
    return portion.slice(taken - length, taken);
  };
}

const randomBufferSize = 4_096;
