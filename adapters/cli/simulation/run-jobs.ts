import { type Api, isApiError } from '../../../core/index.js';
import type { Row } from '../../../core/model/index.js';
import type { Delays } from './delays.js';

/** Runs jobs on an agent until no job is available for it. */
export async function runAvailableJobs(api: Api, agent: string, delays: Delays): Promise<void> {
  for (;;) {
    const job = await nullIfRefused(() => api.runtime.jobs.accept({ agent }));
    if (!job) return;
    await runJob(api, job, delays);
  }
}

/** Runs a job from its current state to its end. */
export async function runJob(api: Api, { id, state, type }: Pick<Row<'job'>, 'id' | 'state' | 'type'>, delays: Delays) {
  const job = { job: id };
  if (state === 'accepted' || state === 'scheduled') {
    await delays.sleepBetween(200, 600);
    if (!(await nullIfRefused(() => api.runtime.jobs.start(job)))) return;
  }
  await (type === 'trigger' ? delays.sleepBetween(500, 1_500) : delays.sleepBetween(2_000, 5_000));
  await nullIfRefused(() => api.runtime.jobs.finish({ ...job, exit_status: 0 }));
}

/** An `ApiError` is expected here: another process was faster, the build was canceled, or the agent was stopped. */
async function nullIfRefused<T>(action: () => Promise<T>): Promise<T | null> {
  try {
    return await action();
  } catch (error) {
    if (isApiError(error)) return null;
    throw error;
  }
}
