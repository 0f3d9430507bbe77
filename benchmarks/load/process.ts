import { generate } from './generate.js';
import type { Job } from './job.js';

// The load generator is a process of its own: a job in, what came of it out.
process.on('message', (job: Job) => {
  generate(job).then(
    (load) => process.send?.({ load }),
    (error: Error) => process.send?.({ error: error.message }),
  );
});
process.on('disconnect', () => process.exit());
process.send?.({ ready: true });
