import { type Api, createApi, isApiError, type Storage } from '../../core/index.js';
import {
  createStorage,
  databaseExists,
  locationLabel,
  parseStorageLocation,
  withStorageUsageErrors,
} from './storage.js';
import { UsageError } from './usage-error.js';

/** Runs work on an existing storage and closes it. Turns an `ApiError` into a `UsageError`. */
export async function withApi<T>(locationText: string | undefined, work: (api: Api) => Promise<T>): Promise<T> {
  const location = parseStorageLocation(locationText);
  if (location.kind === 'memory')
    throw new UsageError('A memory storage can only be used by the process that serves it');
  if (!databaseExists(location)) throw new UsageError(`The database ${locationLabel(location)} does not exist`);
  const storage: Storage = await createStorage(location);
  const api = createApi({ storage });
  try {
    return await withStorageUsageErrors(async () => {
      await api.prepare();
      return work(api);
    });
  } catch (error) {
    if (isApiError(error)) throw new UsageError(error.message);
    throw error;
  } finally {
    await api.close();
  }
}
