import type { Api, Storage } from '../../../core/index.js';
import type { Pace } from './pace.js';
import type { Agent } from './roster.js';
import { stillTag } from './still.js';
import { carryOut, workOff } from './work.js';

/** The agents that work, and the trigger jobs, which need no agent. */
export interface Crew {
  /** Takes note of who is there; takes up what they had begun, and what was waiting. */
  muster(agents: readonly Agent[]): Promise<void>;
  /** There may be something to do: for anyone, or the trigger job of that id. */
  wake(trigger?: unknown): void;
  /** Resolves when nobody is at work. */
  done(): Promise<void>;
}

interface Member {
  again: boolean;
  working: Promise<void> | undefined;
}

const mostTriggers = 100;

export function crew(api: Api, storage: Storage, pace: Pace, report: (error: unknown) => void): Crew {
  const members = new Map<string, Member>();
  const triggers = new Map<string, Promise<void>>();

  /** One job after the other; a call in between makes the agent look once more. */
  async function work(id: string, member: Member, begun: Agent['job']): Promise<void> {
    if (begun) await carryOut(api, begun, pace);
    do {
      member.again = false;
      await workOff(api, id, pace);
    } while (member.again);
  }

  function call(id: string, member: Member, begun: Agent['job'] = null): void {
    member.again = true;
    if (member.working) return;
    member.working = work(id, member, begun)
      .catch(report)
      .finally(() => {
        member.working = undefined;
      });
  }

  function trigger(job: Parameters<typeof carryOut>[1]): void {
    if (triggers.has(job.id)) return;
    const done = carryOut(api, job, pace)
      .catch(report)
      .finally(() => triggers.delete(job.id));
    triggers.set(job.id, done);
  }

  async function takeUpTriggers(): Promise<void> {
    for (const state of ['scheduled', 'running'] as const) {
      const jobs = await storage.select('job.startedBefore', { state }, mostTriggers);
      for (const job of jobs) if (job.type === 'trigger') trigger(job);
    }
  }

  return {
    async muster(agents) {
      const able = agents.filter(({ meta_data }) => !meta_data.includes(stillTag));
      for (const [id, { working }] of members)
        if (!able.some((agent) => agent.id === id) && !working) members.delete(id);
      for (const { id, job } of able) {
        const member = members.get(id) ?? { again: false, working: undefined };
        members.set(id, member);
        call(id, member, job);
      }
      await takeUpTriggers();
    },
    wake(id) {
      if (typeof id === 'string') trigger({ id, type: 'trigger', state: 'scheduled' });
      else for (const [agent, member] of members) call(agent, member);
    },
    async done() {
      await Promise.all([...[...members.values()].map(({ working }) => working), ...triggers.values()]);
    },
  };
}
