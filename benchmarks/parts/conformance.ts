import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { BenchmarkContext } from '../benchmark-context.js';
import type { Figure } from '../report/result.js';

const command = fileURLToPath(new URL('../../adapters/cli/main.js', import.meta.url));

/** Duration of the conformance suite on the storage in memory. The other storages take minutes. */
export async function measureConformance({ progress }: BenchmarkContext): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const storage of ['memory']) {
    progress.log(`The conformance suite on ${storage}`);
    const began = performance.now();
    const child = spawn(process.execPath, [command, 'conformance', '--storage', storage], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`The conformance suite on ${storage} has exited with ${code}`);
    figures.push({ name: storage, value: (performance.now() - began) / 1_000, unit: 's' });
  }
  return figures;
}
