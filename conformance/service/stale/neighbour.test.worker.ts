import { ownSide, type Question } from './_side.test.js';

// An Api in a process of its own, asked by messages.
const side = ownSide();

process.on('message', async ({ id, question }: { id: number; question: Question }) => {
  try {
    process.send?.({ id, value: (await side(question)) ?? null });
  } catch (error) {
    process.send?.({ id, broken: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
