import { Refusal } from '../contract/refusal.js';
import type { Caller } from '../ports/index.js';
import { Trail } from './trail.js';

/** More ways are not kept at once; then all of them are let go. Each takes one or two kilobytes. */
const most = 5_000;

/**
 * The ways to what callers have asked for. Who asks for the same again goes straight there, as long as all look-ups on the
 * way are kept. A way belongs to a caller as an object: when the token is looked up anew there is a new one, and the ways of
 * the old one are gone.
 */
export class Ways<Way> {
  #of = new WeakMap<Caller, Map<string, { readonly way: Way; readonly trail: Trail }>>();
  #size = 0;

  /** The way that goes by this key; `find` finds it, if it is not known, by reads that leave their trail. */
  async to(caller: Caller, key: string, find: (trail: Trail) => Promise<Way | Refusal>): Promise<Way | Refusal> {
    const known = this.#of.get(caller)?.get(key);
    if (known?.trail.isKept) return known.way;
    const trail = new Trail();
    const way = await find(trail);
    if (!(way instanceof Refusal)) this.#keep(caller, key, { way, trail });
    return way;
  }

  #keep(caller: Caller, key: string, found: { readonly way: Way; readonly trail: Trail }): void {
    if (this.#size >= most) {
      this.#of = new WeakMap();
      this.#size = 0;
    }
    let ways = this.#of.get(caller);
    if (!ways) {
      ways = new Map();
      this.#of.set(caller, ways);
    }
    if (!ways.has(key)) this.#size += 1;
    ways.set(key, found);
  }
}
