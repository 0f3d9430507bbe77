import { type Api, createApi, Refusal, type Storage } from '../../core/index.js';
import { Complaint } from './complaint.js';
import { complaining, isThere, nameOf, placeOf, storageAt } from './storage.js';

/** Works on a storage that is there already, and closes it. What is refused is a complaint. */
export async function withApi<T>(where: string | undefined, work: (api: Api) => Promise<T>): Promise<T> {
  const place = placeOf(where);
  if (place.kind === 'memory')
    throw new Complaint('What is in memory can only be reached by the process that serves it');
  if (!isThere(place)) throw new Complaint(`There is no database ${nameOf(place)}`);
  const storage: Storage = await storageAt(place);
  const api = createApi({ storage });
  try {
    return await complaining(async () => {
      await api.prepare();
      return work(api);
    });
  } catch (error) {
    if (error instanceof Refusal) throw new Complaint(error.message);
    throw error;
  } finally {
    await api.close();
  }
}
