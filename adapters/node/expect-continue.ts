import type { IncomingMessage, ServerResponse } from 'node:http';

/** Requests whose clients hold their body back until they are told to go on. */
const awaitingContinue = new WeakSet<IncomingMessage>();

/**
 * Has a client that said `Expect: 100-continue` told to go on as soon as somebody wants the body, whoever that is: the API or
 * the body parser of a host. Nobody can read a request without listening to it.
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

/** Whether the client still holds its body back. */
export const isAwaitingContinue = (request: IncomingMessage): boolean => awaitingContinue.has(request);
