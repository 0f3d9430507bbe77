import type { Api, Storage, StoredEvent } from '../../../core/index.js';
import { connectedAgents } from './connected-agents.js';
import { type Delays, realDelays } from './delays.js';
import { createEventPruner } from './event-pruner.js';
import { createWorkerPool } from './worker-pool.js';

export interface Simulation {
  /** Resolves when all its work has ended. The next simulation resumes the running jobs. */
  stop(): Promise<void>;
}

/** Well below the time after which a silent agent is lost, and long enough to cost little. */
const upkeepIntervalMs = 15_000;
/** The longest delay until events of other processes are seen. */
const pollIntervalMs = 1_000;

/**
 * Simulates the connected agents: sends their heartbeats and runs available jobs on idle agents, a few seconds per job. Agents
 * with the tag `simulation=off` only send heartbeats. Several processes may run a simulation at the same time.
 */
export function simulate(api: Api, storage: Storage): Simulation {
  const stopController = new AbortController();
  const delays = realDelays(stopController.signal);
  const workerPool = createWorkerPool(api, storage, delays, report);
  const eventPruner = createEventPruner(api.events);

  const listen = async () => {
    const listener = (event: StoredEvent) => {
      if (event.type === 'job.scheduled')
        workerPool.wake(event.data.type === 'trigger' ? event.data.job_id : undefined);
      eventPruner.onEvent(event.sequence);
    };
    return api.events.subscribe(listener);
  };

  const upkeep = async () => {
    const agents = await connectedAgents(storage);
    // Before the sweep, or agents without a heartbeat while this process was down would become lost.
    for (const { id } of agents) await api.runtime.agents.heartbeat({ agent: id });
    await api.runtime.sweep();
    await workerPool.setAgents(agents);
    await eventPruner.prune();
  };

  const running = [
    listen().catch(report),
    repeat(upkeepIntervalMs, upkeep, delays),
    repeat(pollIntervalMs, async () => api.events.wake(), delays),
  ];
  return {
    async stop() {
      stopController.abort();
      const [unsubscribe] = await Promise.all(running);
      unsubscribe?.();
      await workerPool.whenIdle();
    },
  };
}

/** Repeats a task until the simulation stops. Errors are reported and do not end the repetition. */
async function repeat(milliseconds: number, task: () => Promise<void>, delays: Delays): Promise<undefined> {
  do await task().catch(report);
  while (await isFulfilled(delays.sleepBetween(milliseconds, milliseconds)));
}

const isFulfilled = (sleeping: Promise<void>): Promise<boolean> =>
  sleeping.then(
    () => true,
    () => false,
  );

function report(error: unknown): undefined {
  if (error instanceof Error && error.name === 'AbortError') return;
  console.error('millrace: error in the simulation:', error);
}
