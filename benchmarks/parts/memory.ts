import type { BenchmarkContext } from '../benchmark-context.js';
import { accessToken, pipelineSlug } from '../data/organization.js';
import type { Figure } from '../report/result.js';
import { startPeer } from '../servers/peer-server.js';
import { memoryOf } from '../servers/procfs.js';
import type { DataSet } from './data-set.js';

/** Memory of a server that has rendered more than its render cache can hold, and of a server without one. */
export async function measureMemory(bench: BenchmarkContext, data: DataSet): Promise<Figure[]> {
  const { size, generator, connections } = bench;
  const cacheLimit = size.name === 'full' ? 64 * 1_048_576 : 16 * 1_048_576;
  // Twice as many builds as the cache can hold.
  const first = Math.min(size.pipelines[0] ?? 0, Math.ceil((2 * cacheLimit) / 14_000));
  const figures: Figure[] = [{ name: 'limit of the render cache', value: cacheLimit, unit: 'bytes' }];
  for (const renderings of [0, cacheLimit]) {
    const server = await startPeer('millrace-pg', { ...data.peerOptions, cache: { renderings } });
    try {
      const requests = Array.from({ length: first }, (_, n) => ({
        method: 'GET' as const,
        target: `/v2/organizations/acme/pipelines/${pipelineSlug(0)}/builds/${n + 1}`,
      }));
      const spec = {
        url: server.url,
        requests,
        connections,
        authorization: `Bearer ${accessToken}`,
        until: 'asked' as const,
      };
      await generator.run(spec);
      await generator.run({ ...spec, requests: requests.slice(-Math.floor(cacheLimit / 15_000)) });
      const { now, most } = memoryOf(server.pid);
      const label = renderings === 0 ? 'no render cache' : 'render cache full';
      figures.push(
        { name: `resident, ${label}`, value: now, unit: 'bytes' },
        { name: `peak resident, ${label}`, value: most, unit: 'bytes' },
      );
    } finally {
      await server.close();
    }
  }
  figures.push({ name: 'builds rendered', value: first, unit: 'builds' });
  return figures;
}
