import { type ApiMessage, localApi } from './_api-client.test.js';

// An Api in its own process, controlled by messages.
const localClient = localApi();

process.on('message', async ({ id, message }: { id: number; message: ApiMessage }) => {
  try {
    process.send?.({ id, value: (await localClient(message)) ?? null });
  } catch (error) {
    process.send?.({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
