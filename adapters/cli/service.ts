import { type Api, createApi, type Pages, type Storage } from '../../core/index.js';
import { systemClock } from '../../core/system.js';
import type { FixtureSource } from './fixture-source.js';
import { isLoaded, loadFixture } from './load-fixture.js';
import { stageDatabase } from './staged-database.js';
import { createStorage, isNewFile, type StorageLocation, withStorageUsageErrors } from './storage.js';

/** An API over a storage with the initial records. */
export interface Service {
  readonly api: Api;
  readonly storage: Storage;
  /** Whether the storage had the records before. */
  readonly wasLoaded: boolean;
}

/** Opens the storage and loads the records unless it has them. A failure leaves no new file behind. */
export async function startService(
  location: StorageLocation,
  source: FixtureSource,
  baseUrl: string,
): Promise<Service> {
  if (!isNewFile(location)) return openAndLoad(location, source, baseUrl);
  const staged = stageDatabase(location.filename);
  try {
    const { api } = await openAndLoad({ ...location, filename: staged.filename }, source, baseUrl, location.filename);
    await api.close();
    staged.publish();
  } finally {
    staged.discard();
  }
  return { ...(await openAndLoad(location, source, baseUrl)), wasLoaded: false };
}

/** `name` replaces the file name in error messages. */
const openAndLoad = (
  location: StorageLocation,
  source: FixtureSource,
  baseUrl: string,
  name?: string,
): Promise<Service> =>
  withStorageUsageErrors(
    async () => {
      const storage = await createStorage(location);
      const pages = await optionalDocsPage();
      const api = createApi({ storage, baseUrl, ...(pages && { pages }) });
      try {
        await api.prepare();
        const wasLoaded = await isLoaded(storage, source);
        if (!wasLoaded) await loadFixture(api, source, systemClock.now());
        return { api, storage, wasLoaded };
      } catch (error) {
        await api.close();
        throw error;
      }
    },
    location.kind === 'sqlite' && name !== undefined ? { [location.filename]: name } : {},
  );

/** The reference page at `/docs`, if swagger-ui-dist is installed. */
async function optionalDocsPage(): Promise<Pages | undefined> {
  const { docsPage } = await import('../docs/index.js');
  try {
    return docsPage();
  } catch {
    return undefined;
  }
}
