import { memoryStorage } from '../../adapters/memory/index.js';
import { createApi } from '../../core/index.js';
import { loadStorage } from '../data/load-storage.js';
import { baseUrl, organizationFixture } from '../data/organization.js';
import { type Size, sizes } from '../data/size.js';
import { requestsOf } from '../parts/requests.js';
import { median } from '../parts/statistics.js';
import type { Figure } from '../report/result.js';
import { apiRequest } from '../servers/in-process-request.js';
import { defineWorker } from './child-process.js';

/** `api.handle` on the storage in memory, one request after the other on one thread. Response bodies are not joined. */
defineWorker(async ({ milliseconds, rounds }: { milliseconds: number; rounds: number }): Promise<Figure[]> => {
  const size: Size = { ...sizes.quick, pipelines: [2_100, 60] };
  const storage = memoryStorage();
  await loadStorage(storage, { ...size, cancelable: 0 }, organizationFixture(size));
  const api = createApi({ storage, baseUrl });
  const figures: Figure[] = [];
  for (const [name, endpoint] of [
    ['one build', 'one build'],
    ['list of 30', 'list, page 1'],
  ] as const) {
    const requests = requestsOf(endpoint, size).map(({ target }) => apiRequest(target));
    const samples: number[] = [];
    const cpuSamples: number[] = [];
    for (let round = -1; round < rounds; round += 1) {
      let done = 0;
      const began = performance.now();
      const before = process.cpuUsage();
      while (performance.now() - began < milliseconds || done < requests.length) {
        for (let n = 0; n < 20; n += 1) {
          const request = requests[done % requests.length];
          if (request === undefined) break;
          const response = await api.handle(request);
          if (response.status !== 200) throw new Error(`${request.target} was answered with ${response.status}`);
          done += 1;
        }
      }
      const { user, system } = process.cpuUsage(before);
      if (round < 0) continue;
      samples.push((done * 1_000) / (performance.now() - began));
      cpuSamples.push((done * 1e6) / (user + system));
    }
    figures.push({ name, value: median(samples), unit: 'per second', samples });
    const byCpuTimeName = `${name}: by processor time`;
    figures.push({ name: byCpuTimeName, value: median(cpuSamples), unit: 'per second', samples: cpuSamples });
  }
  await api.close();
  return figures;
});
