import type { Api, Storage, StoredEvent } from '../../../core/index.js';
import { connectedAgents } from './connected-agents.js';
import { type Delays, realDelays } from './delays.js';
import { createEventPruner } from './event-pruner.js';
import { createWorkerPool } from './worker-pool.js';

export interface Simulation {
  /** Resolves when nothing of it is under way any more; jobs that run are taken up by the next simulation. */
  stop(): Promise<void>;
}

/** Seconds are short of what makes an agent lost, and long enough to cost nothing. */
const upkeepIntervalMs = 15_000;
/** How soon events of other processes are seen. */
const pollIntervalMs = 1_000;

/**
 * Plays the agents that are connected: they give signs of life, and those that are idle work on what is to be done, a few
 * seconds for each job. Agents tagged as still only give signs of life. Several processes may play at once.
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
      eventPruner.saw(event.sequence);
    };
    return api.events.subscribe(listener);
  };

  const upkeep = async () => {
    const agents = await connectedAgents(storage);
    // Before the sweep, or whoever was silent while this process was down would be taken for lost.
    for (const { id } of agents) await api.host.agents.heartbeat({ agent: id });
    await api.host.sweep();
    await workerPool.setAgents(agents);
    await eventPruner.old();
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

/** Does something again and again until the simulation stops. What goes wrong is told, and tried again the next time. */
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
  console.error('millrace: the simulation met an error:', error);
}
