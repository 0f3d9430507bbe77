import type { Api, Storage, StoredEvent } from '../../../core/index.js';
import { crew } from './crew.js';
import { forgetful } from './forgetful.js';
import { type Pace, paceUntil } from './pace.js';
import { roster } from './roster.js';

export interface Simulation {
  /** Resolves when nothing of it is under way any more; jobs that run are taken up by the next simulation. */
  stop(): Promise<void>;
}

/** Seconds are short of what makes an agent lost, and long enough to cost nothing. */
const upkeepEvery = 15_000;
/** How soon events of other processes are seen. */
const lookEvery = 1_000;

/**
 * Plays the agents that are connected: they give signs of life, and those that are idle work on what is to be done, a few
 * seconds for each job. Agents tagged as still only give signs of life. Several processes may play at once.
 */
export function simulate(api: Api, storage: Storage): Simulation {
  const ending = new AbortController();
  const pace = paceUntil(ending.signal);
  const players = crew(api, storage, pace, report);
  const forget = forgetful(api.events);

  const listen = async () => {
    const listener = (event: StoredEvent) => {
      if (event.type === 'job.scheduled') players.wake(event.data.type === 'trigger' ? event.data.job_id : undefined);
      forget.saw(event.sequence);
    };
    return api.events.subscribe(listener);
  };

  const upkeep = async () => {
    const agents = await roster(storage);
    // Before the sweep, or whoever was silent while this process was down would be taken for lost.
    for (const { id } of agents) await api.host.agents.heartbeat({ agent: id });
    await api.host.sweep();
    await players.muster(agents);
    await forget.old();
  };

  const running = [
    listen().catch(report),
    every(upkeepEvery, upkeep, pace),
    every(lookEvery, async () => api.events.wake(), pace),
  ];
  return {
    async stop() {
      ending.abort();
      const [leave] = await Promise.all(running);
      leave?.();
      await players.done();
    },
  };
}

/** Does something again and again until the simulation stops. What goes wrong is told, and tried again the next time. */
async function every(milliseconds: number, act: () => Promise<void>, pace: Pace): Promise<undefined> {
  do await act().catch(report);
  while (await passed(pace.between(milliseconds, milliseconds)));
}

const passed = (pause: Promise<void>): Promise<boolean> =>
  pause.then(
    () => true,
    () => false,
  );

function report(error: unknown): undefined {
  if (error instanceof Error && error.name === 'AbortError') return;
  console.error('millrace: the simulation met an error:', error);
}
