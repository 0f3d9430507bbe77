import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { BenchmarkContext } from '../benchmark-context.js';
import type { Figure } from '../report/result.js';
import { freePort } from '../servers/free-port.js';
import { processorTime } from '../servers/procfs.js';
import { median } from './statistics.js';

const dist = fileURLToPath(new URL('../../', import.meta.url));

/** Time from the start of a process to its first 200, and time of an import; each compared with Node alone. */
export async function measureStart({ directory, rounds, turnMs }: BenchmarkContext): Promise<Figure[]> {
  const times = turnMs > 500 ? rounds * 4 : rounds * 2;
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
  // The first start creates the database, and is not measured.
  await timeToFirstResponse(serve);
  const [served, plain, imported, node]: ProcessTiming[][] = [[], [], [], []];
  for (let time = 0; time < times; time += 1) {
    served?.push(await timeToFirstResponse(serve));
    plain?.push(await timeToFirstResponse(bare));
    imported?.push(await timeToExit(importing));
    node?.push(await timeToExit(['--input-type=module', '-e', '']));
  }
  const figures = (name: string, samples: readonly ProcessTiming[] = []): Figure[] => {
    const [waited, worked] = [samples.map(({ waited }) => waited), samples.map(({ worked }) => worked)];
    return [
      { name, value: median(waited), unit: 'ms', samples: waited },
      { name: `${name}: by processor time`, value: median(worked), unit: 'ms', samples: worked },
    ];
  };
  const beyond = (imported ?? []).map(({ waited, worked }, index) => ({
    waited: waited - (node?.[index]?.waited ?? 0),
    worked: worked - (node?.[index]?.worked ?? 0),
  }));
  return [
    ...figures('serve on SQLite to the first 200', served),
    ...figures('bare node:http to the first 200', plain),
    ...figures('import of the in-process core, beyond bare Node', beyond),
    ...figures('bare Node', node),
  ];
}

/** Milliseconds by the clock and of processor time. Processor time is more reliable on a busy machine. */
interface ProcessTiming {
  readonly waited: number;
  readonly worked: number;
}

/** Milliseconds from the start of a process to its first response with status 200. */
async function timeToFirstResponse(command: (port: number) => readonly string[]): Promise<ProcessTiming> {
  const port = await freePort();
  const began = performance.now();
  const child = spawn(process.execPath, [...command(port)], { stdio: 'ignore' });
  try {
    for (;;) {
      if (child.exitCode !== null) throw new Error(`${command(port).join(' ')} has exited`);
      if ((await statusAt(port)) === 200) {
        return { waited: performance.now() - began, worked: processorTime(child.pid) * 1_000 };
      }
      await pause(2);
    }
  } finally {
    const exited = once(child, 'exit');
    child.kill();
    await exited;
  }
}

const statusAt = (port: number): Promise<number | undefined> =>
  new Promise((resolve) => {
    get({ host: '127.0.0.1', port, path: '/', agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', () => resolve(undefined));
  });

/** Milliseconds from the start of a process to its exit. The process itself reports its processor time. */
async function timeToExit(command: readonly string[]): Promise<ProcessTiming> {
  const reportingCommand = [
    ...command.slice(0, -1),
    `${command.at(-1)}; process.stdout.write(JSON.stringify(process.cpuUsage()))`,
  ];
  const began = performance.now();
  const child = spawn(process.execPath, reportingCommand, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command.join(' ')} has exited with ${code}`);
  const waited = performance.now() - began;
  const { user, system } = JSON.parse(output) as NodeJS.CpuUsage;
  return { waited, worked: (user + system) / 1_000 };
}
