import { type Api, createApi, type Pages, type Storage } from '../../core/index.js';
import { systemClock } from '../../core/system.js';
import type { Source } from './document.js';
import { draftOf } from './draft.js';
import { isLoaded, load } from './provision.js';
import { complaining, isNewFile, type Place, storageAt } from './storage.js';

/** An API over a storage that has the records it is to begin with. */
export interface Service {
  readonly api: Api;
  readonly storage: Storage;
  /** Whether the records were there before. */
  readonly found: boolean;
}

/** Opens the storage, and loads the records unless it has them. If that fails, there is nothing new on the disk. */
export async function begin(place: Place, source: Source, baseUrl: string): Promise<Service> {
  if (!isNewFile(place)) return open(place, source, baseUrl);
  const draft = draftOf(place.filename);
  try {
    const { api } = await open({ ...place, filename: draft.filename }, source, baseUrl, place.filename);
    await api.close();
    draft.publish();
  } finally {
    draft.discard();
  }
  return { ...(await open(place, source, baseUrl)), found: false };
}

/** `name` is what complaints call the file. */
const open = (place: Place, source: Source, baseUrl: string, name?: string): Promise<Service> =>
  complaining(
    async () => {
      const storage = await storageAt(place);
      const pages = await referencePage();
      const api = createApi({ storage, baseUrl, ...(pages && { pages }) });
      try {
        await api.prepare();
        const found = await isLoaded(storage, source);
        if (!found) await load(api, source, systemClock.now());
        return { api, storage, found };
      } catch (error) {
        await api.close();
        throw error;
      }
    },
    place.kind === 'sqlite' && name !== undefined ? { [place.filename]: name } : {},
  );

/** The reference at `/docs`, where the viewer that it needs is installed. */
async function referencePage(): Promise<Pages | undefined> {
  const { docsPage } = await import('../docs/index.js');
  try {
    return docsPage();
  } catch {
    return undefined;
  }
}
