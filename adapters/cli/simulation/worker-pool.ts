import type { Api, Storage } from '../../../core/index.js';
import type { Agent } from './connected-agents.js';
import type { Delays } from './delays.js';
import { simulationOffTag } from './off-tag.js';
import { runAvailableJobs, runJob } from './run-jobs.js';

/** The agents that work, and the trigger jobs, which need no agent. */
export interface WorkerPool {
  /** Takes note of who is there; takes up what they had begun, and what was waiting. */
  setAgents(agents: readonly Agent[]): Promise<void>;
  /** There may be something to do: for anyone, or the trigger job of that id. */
  wake(runTrigger?: unknown): void;
  /** Resolves when nobody is at work. */
  whenIdle(): Promise<void>;
}

interface Worker {
  checkAgain: boolean;
  working: Promise<void> | undefined;
}

const maxTriggers = 100;

export function createWorkerPool(
  api: Api,
  storage: Storage,
  delays: Delays,
  report: (error: unknown) => void,
): WorkerPool {
  const workers = new Map<string, Worker>();
  const runningTriggers = new Map<string, Promise<void>>();

  /** One job after the other; a call in between makes the agent look once more. */
  async function work(id: string, worker: Worker, startedJob: Agent['job']): Promise<void> {
    if (startedJob) await runJob(api, startedJob, delays);
    do {
      worker.checkAgain = false;
      await runAvailableJobs(api, id, delays);
    } while (worker.checkAgain);
  }

  function wakeWorker(id: string, worker: Worker, startedJob: Agent['job'] = null): void {
    worker.checkAgain = true;
    if (worker.working) return;
    worker.working = work(id, worker, startedJob)
      .catch(report)
      .finally(() => {
        worker.working = undefined;
      });
  }

  function runTrigger(job: Parameters<typeof runJob>[1]): void {
    if (runningTriggers.has(job.id)) return;
    const done = runJob(api, job, delays)
      .catch(report)
      .finally(() => runningTriggers.delete(job.id));
    runningTriggers.set(job.id, done);
  }

  async function resumeTriggers(): Promise<void> {
    for (const state of ['scheduled', 'running'] as const) {
      const jobs = await storage.select('job.startedBefore', { state }, maxTriggers);
      for (const job of jobs) if (job.type === 'trigger') runTrigger(job);
    }
  }

  return {
    async setAgents(agents) {
      const simulatedAgents = agents.filter(({ meta_data }) => !meta_data.includes(simulationOffTag));
      for (const [id, { working }] of workers)
        if (!simulatedAgents.some((agent) => agent.id === id) && !working) workers.delete(id);
      for (const { id, job } of simulatedAgents) {
        const worker = workers.get(id) ?? { checkAgain: false, working: undefined };
        workers.set(id, worker);
        wakeWorker(id, worker, job);
      }
      await resumeTriggers();
    },
    wake(id) {
      if (typeof id === 'string') runTrigger({ id, type: 'trigger', state: 'scheduled' });
      else for (const [agent, worker] of workers) wakeWorker(agent, worker);
    },
    async whenIdle() {
      await Promise.all([...[...workers.values()].map(({ working }) => working), ...runningTriggers.values()]);
    },
  };
}
