import { memoryStorage } from '../../adapters/memory/index.js';
import { serve } from '../../adapters/node/index.js';
import { createApi } from '../../core/index.js';
import { loadStorage } from '../data/load-storage.js';
import { baseUrl, organizationFixture } from '../data/organization.js';
import { sizes } from '../data/size.js';
import { endpoints, type Peer } from './peer.js';

/** The API on the storage in memory, as the fake service has it, with the data of a quick run. */
export const millraceMemory: Peer = {
  description: 'Millrace in memory',
  database: 'none',
  equality: 'bytes',
  endpoints,
  async start() {
    const storage = memoryStorage();
    await loadStorage(storage, sizes.quick, organizationFixture(sizes.quick));
    const api = createApi({ storage, baseUrl });
    const server = await serve(api);
    return {
      url: server.url,
      close: async () => {
        await server.close({ graceMs: 0 });
        await api.close();
      },
    };
  },
};
