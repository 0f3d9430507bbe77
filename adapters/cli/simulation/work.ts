import { type Api, Refusal } from '../../../core/index.js';
import type { Row } from '../../../core/model/index.js';
import type { Pace } from './pace.js';

/** An agent takes one job after the other until there is none for it. */
export async function workOff(api: Api, agent: string, pace: Pace): Promise<void> {
  for (;;) {
    const job = await unlessRefused(() => api.host.jobs.accept({ agent }));
    if (!job) return;
    await carryOut(api, job, pace);
  }
}

/** Takes a job from wherever it stands to its end. */
export async function carryOut(api: Api, { id, state, type }: Pick<Row<'job'>, 'id' | 'state' | 'type'>, pace: Pace) {
  const job = { job: id };
  if (state === 'accepted' || state === 'scheduled') {
    await pace.between(200, 600);
    if (!(await unlessRefused(() => api.host.jobs.start(job)))) return;
  }
  await (type === 'trigger' ? pace.between(500, 1_500) : pace.between(2_000, 5_000));
  await unlessRefused(() => api.host.jobs.finish({ ...job, exit_status: 0 }));
}

/** A refusal is no error here: somebody was faster, canceled the build, or stopped the agent. */
async function unlessRefused<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
