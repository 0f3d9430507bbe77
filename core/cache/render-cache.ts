import type { Stamp } from '../ports/index.js';

/** Bytes that were made of a record at one version, and whatever else its maker wants to find again beside them. */
export interface Rendering {
  readonly version: number;
  readonly bytes: Uint8Array;
}

/** The renderings of one kind, such as builds with their retried jobs. */
export interface RenderNamespace<R extends Rendering> {
  /** The rendering of the record at this version, if it is at hand. */
  get(stamp: Stamp): R | undefined;
  put(id: string, rendering: R): void;
}

/**
 * Renderings kept in memory. A stamp never names two different contents, so what is kept under one is never stale; it is
 * only no longer asked for.
 */
export interface RenderCache {
  namespace<R extends Rendering>(kind: string): RenderNamespace<R>;
  /** Bytes in use, by the same reckoning as the bound. */
  readonly size: number;
}

/** What a rendering takes beside its bytes: its places in the map, its key, its objects. Measured at 290 to 350 bytes. */
const overhead = 320;

interface Generations {
  young: Map<string, Rendering>;
  old: Map<string, Rendering>;
}

/**
 * Keeps renderings in at most so many bytes; with 0 none. They have two ages: whatever is asked for is young again, and when
 * the young ones take half of the room, the old ones go and the young become old. That costs one map look-up where a list
 * in the order of use would have to be relinked on every hit.
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
