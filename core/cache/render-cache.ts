import type { Stamp } from '../ports/index.js';

/** The bytes of a record at one version. Renderers add what else they need to know of them. */
export interface Rendering {
  readonly version: number;
  readonly bytes: Uint8Array;
}

/** The renderings of one kind, such as builds with their retried jobs. */
export interface RenderNamespace<R extends Rendering> {
  /** The rendering of the record at this version, if it is in the cache. */
  get(stamp: Stamp): R | undefined;
  put(id: string, rendering: R): void;
}

/**
 * Renderings kept in memory, by id and version. A stamp never names two different contents, so none of them is ever stale.
 */
export interface RenderCache {
  namespace<R extends Rendering>(kind: string): RenderNamespace<R>;
  /** Bytes in use, by the same reckoning as the bound. */
  readonly size: number;
}

/** What a rendering takes besides its bytes, in the map and as an object. Measured at 290 to 350 bytes. */
const overhead = 320;

interface Generations {
  young: Map<string, Rendering>;
  old: Map<string, Rendering>;
}

/**
 * Keeps renderings in at most so many bytes; with 0 none. There are two generations: a rendering that is asked for is in the
 * young one, and when the young one takes half of the bytes, the old one is dropped and the young one becomes old. A hit costs
 * one map look-up, about 90 ns; one in an LRU list of the package `lru-cache`, which is relinked each time, 100 to 150 ns.
 */
export function makeRenderCache(limit: number): RenderCache {
  const namespaces = new Map<string, Generations>();
  let youngBytes = 0;
  let oldBytes = 0;

  function rotate(): void {
    for (const ages of namespaces.values()) {
      ages.old = ages.young;
      ages.young = new Map();
    }
    oldBytes = youngBytes;
    youngBytes = 0;
  }

  function put(ages: Generations, id: string, rendering: Rendering): void {
    const size = sizeOf(rendering);
    if (size > limit / 2) return;
    const [young, old] = [ages.young.get(id), ages.old.get(id)];
    if (young) youngBytes -= sizeOf(young);
    if (old) {
      oldBytes -= sizeOf(old);
      ages.old.delete(id);
    }
    if (youngBytes + size > limit / 2) {
      ages.young.delete(id);
      rotate();
    }
    ages.young.set(id, rendering);
    youngBytes += size;
  }

  return {
    namespace<R extends Rendering>(kind: string): RenderNamespace<R> {
      let ages = namespaces.get(kind);
      if (!ages) {
        ages = { young: new Map(), old: new Map() };
        namespaces.set(kind, ages);
      }
      const own = ages;
      return {
        get({ id, version }) {
          const young = own.young.get(id);
          if (young) return young.version === version ? (young as R) : undefined;
          const old = own.old.get(id);
          if (old?.version !== version) return undefined;
          put(own, id, old);
          return old as R;
        },
        put: (id, rendering) => put(own, id, rendering),
      };
    },
    get size() {
      return youngBytes + oldBytes;
    },
  };
}

const sizeOf = ({ bytes }: Rendering): number => bytes.byteLength + overhead;
