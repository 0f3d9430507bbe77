import type { Bench } from '../bench.js';
import { accessToken, slugOf } from '../data/organization.js';
import type { Figure } from '../report/result.js';
import { startPeer } from '../servers/peer-server.js';
import { memoryOf } from '../servers/proc.js';
import type { DataSet } from './data-set.js';

/** Memory of a server that has rendered far more than its cache may hold, and of one that keeps nothing. */
export async function measureMemory(bench: Bench, data: DataSet): Promise<Figure[]> {
  const { size, generator, connections } = bench;
  const bound = size.name === 'full' ? 64 * 1_048_576 : 16 * 1_048_576;
  // Twice of what may be kept.
  const first = Math.min(size.pipelines[0] ?? 0, Math.ceil((2 * bound) / 14_000));
  const figures: Figure[] = [{ name: 'bound of the rendering cache', value: bound, unit: 'bytes' }];
  for (const renderings of [0, bound]) {
    const server = await startPeer('millrace-pg', { ...data.place, cache: { renderings } });
    try {
      const requests = Array.from({ length: first }, (_, n) => ({
        method: 'GET' as const,
        target: `/v2/organizations/acme/pipelines/${slugOf(0)}/builds/${n + 1}`,
      }));
      const job = {
        url: server.url,
        requests,
        connections,
        authorization: `Bearer ${accessToken}`,
        until: 'asked' as const,
      };
      await generator.run(job);
      await generator.run({ ...job, requests: requests.slice(-Math.floor(bound / 15_000)) });
      const { now, most } = memoryOf(server.pid);
      const told = renderings === 0 ? 'nothing kept' : 'the cache full';
      figures.push(
        { name: `resident, ${told}`, value: now, unit: 'bytes' },
        { name: `most ever resident, ${told}`, value: most, unit: 'bytes' },
      );
    } finally {
      await server.close();
    }
  }
  figures.push({ name: 'builds rendered', value: first, unit: 'builds' });
  return figures;
}
