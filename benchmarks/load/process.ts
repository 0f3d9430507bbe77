import { generate } from './generate.js';
import type { LoadSpec } from './load-spec.js';

// The process of the load generator: it receives a load, runs it, and sends the result.
process.on('message', (spec: LoadSpec) => {
  generate(spec).then(
    (load) => process.send?.({ load }),
    (error: Error) => process.send?.({ error: error.message }),
  );
});
process.on('disconnect', () => process.exit());
process.send?.({ ready: true });
