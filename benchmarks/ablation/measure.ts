import type { BenchmarkContext } from '../benchmark-context.js';
import type { DataSet } from '../parts/data-set.js';
import { measureTurn } from '../parts/measure-peers.js';
import { median } from '../parts/statistics.js';
import type { AblationMeasurement } from '../report/result.js';
import { type PeerServer, startPeer } from '../servers/peer-server.js';
import { type AblationLoad, type LoadName, loadNames, loads, turnEnd } from './loads.js';
import { type Mechanism, mechanisms } from './mechanisms.js';

/** A server with one mechanism switched off and all others on. */
interface Variant {
  readonly mechanism: Mechanism;
  readonly server: PeerServer;
}

/** A second server with everything on. Its ratios show the noise of the run. */
const control: Mechanism = {
  name: 'nothing (control)',
  files: [],
  databases: ['PostgreSQL', 'SQLite'],
  off: {},
  loads: loadNames,
};

/** What was measured, and the loads that failed, which are missing in it. */
interface AblationRun {
  readonly measured: readonly AblationMeasurement[];
  readonly failed: readonly string[];
}

/** Processor time per request of every load, with all mechanisms on and with each of them off. */
export async function measureAblation(bench: BenchmarkContext, data: DataSet): Promise<AblationRun> {
  const name = data.name === 'PostgreSQL' ? 'millrace-ablation-pg' : 'millrace-ablation-sqlite';
  const started: PeerServer[] = [];
  const start = async (mechanism: Mechanism): Promise<Variant> => {
    const server = await startPeer(name, { ...data.peerOptions, ...mechanism.off });
    started.push(server);
    return { mechanism, server };
  };
  try {
    const complete = (await start(control)).server;
    const variants: Variant[] = [];
    for (const mechanism of [control, ...mechanisms]) {
      if (mechanism.databases.includes(data.name)) variants.push(await start(mechanism));
    }
    const measured: AblationMeasurement[] = [];
    const failed = new Set<string>();
    const forEachLoad = async (step: string, run: (load: LoadName) => Promise<void>): Promise<void> => {
      for (const load of loadNames) {
        const name = `${data.name}: ${load}`;
        if (failed.has(name)) continue;
        bench.progress.log(`${name}, ${step}`);
        await run(load).catch((error: Error) => {
          failed.add(name);
          bench.progress.log(`${name} has failed: ${error.message}`);
        });
      }
    };
    await forEachLoad(`warm-up of ${started.length} servers`, async (load) => {
      await runRound(bench, data, load, started, bench.turnMs / 2);
    });
    await forEachLoad('measured', async (load) => {
      const participants = variants.filter(({ mechanism }) => mechanism.loads.includes(load));
      measured.push(...(await measureLoad(bench, data, load, complete, participants)));
    });
    return { measured, failed: [...failed] };
  } finally {
    for (const server of started) await server.close();
  }
}

/** Each server has one turn per round, so that other load on the machine affects all of them. */
async function measureLoad(
  bench: BenchmarkContext,
  data: DataSet,
  load: LoadName,
  complete: PeerServer,
  variants: readonly Variant[],
): Promise<AblationMeasurement[]> {
  const servers = [complete, ...variants.map(({ server }) => server)];
  // Fills the caches of every server that has one.
  await runRound(bench, data, load, servers, 'asked');
  const rounds: ReadonlyMap<PeerServer, number>[] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    const first = round % servers.length;
    const order = [...servers.slice(first), ...servers.slice(0, first)];
    rounds.push(await runRound(bench, data, load, order, bench.turnMs));
  }
  const costs = (server: PeerServer): number[] => rounds.map((round) => round.get(server) ?? Number.NaN);
  return variants.map(({ mechanism, server }) => {
    const [on, off] = [costs(complete), costs(server)];
    return {
      mechanism: mechanism.name,
      database: data.name,
      load,
      on: median(on),
      off: median(off),
      ratios: off.map((cost, round) => cost / (on[round] ?? Number.NaN)),
    };
  });
}

/** Runs a load against one server after the other. Returns microseconds of processor time per request, server and database together. */
async function runRound(
  bench: BenchmarkContext,
  data: DataSet,
  name: LoadName,
  servers: readonly PeerServer[],
  until: number | 'asked',
): Promise<ReadonlyMap<PeerServer, number>> {
  const load: AblationLoad = loads[name];
  const { generator, connections, size } = bench;
  const costs = new Map<PeerServer, number>();
  for (const server of servers) {
    const turn = await measureTurn(server, {
      endpoint: name,
      requests: load.requests(size, data.fixture),
      until: until === 'asked' ? until : turnEnd(load, until),
      connections,
      generator,
      database: data.pid,
    });
    costs.set(server, turn.serverCpu + turn.databaseCpu);
    if (load.changes) await data.restore();
  }
  return costs;
}
