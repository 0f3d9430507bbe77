import { generate } from './generate.js';
import type { LoadSpec } from './load-spec.js';

// The load generator is a process of its own: a job in, what came of it out.
process.on('message', (spec: LoadSpec) => {
  generate(spec).then(
    (load) => process.send?.({ load }),
    (error: Error) => process.send?.({ error: error.message }),
  );
});
process.on('disconnect', () => process.exit());
process.send?.({ ready: true });
