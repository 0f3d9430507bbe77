import { type ApiMessage, localApi } from './_api-client.test.js';

// An Api in a process of its own, asked by messages.
const localClient = localApi();

process.on('message', async ({ id, question }: { id: number; question: ApiMessage }) => {
  try {
    process.send?.({ id, value: (await localClient(question)) ?? null });
  } catch (error) {
    process.send?.({ id, broken: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
