import type { IncomingMessage, ServerResponse } from 'node:http';

/** Requests whose clients wait for `100 Continue` before they send the body. */
const awaitingContinue = new WeakSet<IncomingMessage>();

/**
 * Sends `100 Continue` when the API or a body parser of the host starts to read the body. Reading a request always adds a
 * `data` or `readable` listener, which is how the read is detected.
 */
export function continueOnRead(request: IncomingMessage, response: ServerResponse): void {
  awaitingContinue.add(request);
  const onListener = (event: string | symbol): void => {
    if (event !== 'data' && event !== 'readable') return;
    request.off('newListener', onListener);
    if (response.headersSent) return;
    awaitingContinue.delete(request);
    response.writeContinue();
  };
  request.on('newListener', onListener);
}

/** Whether the client is still waiting for `100 Continue`. */
export const isAwaitingContinue = (request: IncomingMessage): boolean => awaitingContinue.has(request);
