#!/usr/bin/env node
import module from 'node:module';

// Whoever reads what is printed may have had enough of it, as `head` has.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

// From Node 22.8 on, what has been compiled is kept for the next start: a tenth of what it takes. So all else is imported after it.
(module as { enableCompileCache?: () => unknown }).enableCompileCache?.();
const { run } = await import('./run.js');

process.exitCode = await run(process.argv.slice(2));
