import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Bench } from '../bench.js';
import type { Figure } from '../report/result.js';
import { freePort } from '../servers/free-port.js';
import { processorTime } from '../servers/proc.js';
import { median } from './statistics.js';

const dist = fileURLToPath(new URL('../../', import.meta.url));

/** From the start of a process to its first 200, and to the end of an import; what stands beside each is bare Node. */
export async function measureStart({ directory, rounds, turn }: Bench): Promise<Figure[]> {
  const times = turn > 500 ? rounds * 4 : rounds * 2;
  const file = join(directory, 'start.db');
  const serve = (port: number) => [
    join(dist, 'adapters', 'cli', 'main.js'),
    'serve',
    '--storage',
    `sqlite:${file}`,
    '--port',
    String(port),
    '--no-simulate',
    '--json',
  ];
  const bare = (port: number) => [
    '--input-type=module',
    '-e',
    `import { createServer } from 'node:http'; createServer((_, response) => response.end('{}')).listen(${port}, '127.0.0.1');`,
  ];
  const core = pathToFileURL(join(dist, 'core', 'index.js')).href;
  const memory = pathToFileURL(join(dist, 'adapters', 'memory', 'index.js')).href;
  const importing = [
    '--input-type=module',
    '-e',
    `import { createApi } from '${core}'; import { memoryStorage } from '${memory}'; createApi({ storage: memoryStorage() });`,
  ];
  // The first start makes the database; what is asked about is the next ones.
  await firstAnswer(serve);
  const [served, plain, imported, node]: Took[][] = [[], [], [], []];
  for (let time = 0; time < times; time += 1) {
    served?.push(await firstAnswer(serve));
    plain?.push(await firstAnswer(bare));
    imported?.push(await ended(importing));
    node?.push(await ended(['--input-type=module', '-e', '']));
  }
  const figures = (name: string, samples: readonly Took[] = []): Figure[] => {
    const [waited, worked] = [samples.map(({ waited }) => waited), samples.map(({ worked }) => worked)];
    return [
      { name, value: median(waited), unit: 'ms', samples: waited },
      { name: `${name}: by processor time`, value: median(worked), unit: 'ms', samples: worked },
    ];
  };
  const beyond = (imported ?? []).map(({ waited, worked }, place) => ({
    waited: waited - (node?.[place]?.waited ?? 0),
    worked: worked - (node?.[place]?.worked ?? 0),
  }));
  return [
    ...figures('serve on SQLite to the first 200', served),
    ...figures('bare node:http to the first 200', plain),
    ...figures('import of the in-process core, beyond bare Node', beyond),
    ...figures('bare Node', node),
  ];
}

/** Milliseconds by the clock, and of processor time, which says more on a machine that others use as well. */
interface Took {
  readonly waited: number;
  readonly worked: number;
}

/** Milliseconds from the start of a process to the first answer on its port. */
async function firstAnswer(command: (port: number) => readonly string[]): Promise<Took> {
  const port = await freePort();
  const began = performance.now();
  const child = spawn(process.execPath, [...command(port)], { stdio: 'ignore' });
  try {
    for (;;) {
      if (child.exitCode !== null) throw new Error(`${command(port).join(' ')} has ended`);
      if ((await statusAt(port)) === 200) {
        return { waited: performance.now() - began, worked: processorTime(child.pid) * 1_000 };
      }
      await pause(2);
    }
  } finally {
    const gone = once(child, 'exit');
    child.kill();
    await gone;
  }
}

const statusAt = (port: number): Promise<number | undefined> =>
  new Promise((resolve) => {
    get({ host: '127.0.0.1', port, path: '/', agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    }).on('error', () => resolve(undefined));
  });

/** What a process takes from its start to its end; it says itself how long it has worked. */
async function ended(command: readonly string[]): Promise<Took> {
  const telling = [
    ...command.slice(0, -1),
    `${command.at(-1)}; process.stdout.write(JSON.stringify(process.cpuUsage()))`,
  ];
  const began = performance.now();
  const child = spawn(process.execPath, telling, { stdio: ['ignore', 'pipe', 'inherit'] });
  let told = '';
  child.stdout.on('data', (chunk: Buffer) => {
    told += chunk.toString();
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command.join(' ')} has ended with ${code}`);
  const waited = performance.now() - began;
  const { user, system } = JSON.parse(told) as NodeJS.CpuUsage;
  return { waited, worked: (user + system) / 1_000 };
}
