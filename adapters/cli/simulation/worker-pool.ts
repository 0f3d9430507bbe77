import type { Api, Storage } from '../../../core/index.js';
import type { Agent } from './connected-agents.js';
import type { Delays } from './delays.js';
import { simulationOffTag } from './off-tag.js';
import { runAvailableJobs, runJob } from './run-jobs.js';

/** Runs the jobs of the simulated agents, and trigger jobs, which need no agent. */
export interface WorkerPool {
  /** Sets the connected agents. Resumes their running jobs, and trigger jobs that are scheduled or running. */
  setAgents(agents: readonly Agent[]): Promise<void>;
  /** Runs the trigger job of that id; without one, lets all agents look for jobs. */
  wake(triggerId?: unknown): void;
  /** Resolves when no job is running. */
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

  /** Runs one job after the other. A wake-up in the meantime makes the agent check once more. */
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
