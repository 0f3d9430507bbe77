#!/usr/bin/env node
import { run } from './run.js';

// Whoever reads what is printed may have had enough of it, as `head` has.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await run(process.argv.slice(2));
