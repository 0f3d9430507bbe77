import { type ApiError, errors } from '../errors/index.js';
import type { Stamp } from '../ports/index.js';
import type { Rendering, RenderNamespace } from './render-cache.js';

/** How the records of one kind are rendered, and what they show of records that have versions of their own. */
export interface Renderer<Row extends { readonly id: string }, Shared, R extends Rendering> {
  readonly namespace: RenderNamespace<R>;
  load(ids: readonly string[]): Promise<readonly Row[]>;
  /** Looks up what the rows, and what was rendered before, share with others. */
  loadShared(records: readonly (Row | R)[]): Promise<Shared>;
  /** Whether what a rendering shows of others is as they are now. */
  isUpToDate(rendering: R, shared: Shared): boolean;
  /** Whether the client has left; then nothing is loaded for it. */
  isAborted(): boolean;
  /** Undefined for a record that cannot be rendered. */
  render(row: Row, shared: Shared): R | undefined;
}

/** The renderings of the records with these stamps, by id. Loads and renders only records that are not in the cache, and caches them. */
export async function renderUncached<Row extends { readonly id: string }, Shared, R extends Rendering>(
  stamps: readonly Stamp[],
  { namespace, load, loadShared, isUpToDate, render, isAborted }: Renderer<Row, Shared, R>,
): Promise<{ readonly renderings: ReadonlyMap<string, R>; readonly shared: Shared } | ApiError> {
  const renderings = new Map<string, R>();
  const missing: string[] = [];
  for (const stamp of stamps) {
    const rendering = namespace.get(stamp);
    if (rendering) renderings.set(stamp.id, rendering);
    else missing.push(stamp.id);
  }
  if (missing.length > 0 && isAborted()) return errors.requestAborted();
  const rows = missing.length > 0 ? [...(await load(missing))] : [];
  const shared = await loadShared([...renderings.values(), ...rows]);
  const outdated: string[] = [];
  for (const [id, rendering] of renderings) if (!isUpToDate(rendering, shared)) outdated.push(id);
  if (outdated.length > 0) rows.push(...(await load(outdated)));
  for (const row of rows) {
    const rendering = render(row, shared);
    if (rendering === undefined) continue;
    renderings.set(row.id, rendering);
    // The row may be newer than the stamp, so the rendering is cached under the version of the row.
    namespace.put(row.id, rendering);
  }
  return { renderings, shared };
}
