import { HarnessError } from '../runner/failure.js';
import type { Wire } from '../service/wire.js';
import { exchange } from '../transport/socket-client.js';
import type { Address } from './address.js';

/**
 * Sends requests unchanged, each over its own connection. The service closes the connection after the response, so surplus bytes
 * are seen, such as a body where none is allowed. Redirects are not followed. A refused connection, or one that ends before the
 * first byte, is a `HarnessError` and no failure: it says nothing about the API.
 */
export const connectionPerRequest = ({ base, prefix, host, connect }: Address): Wire => ({
  async send({ method, target, headers = {}, body }) {
    const socket = await connect().catch((error: unknown) => {
      throw new HarnessError(`No connection to ${base}: ${errorMessageOf(error)}`);
    });
    let socketError: unknown;
    let hasReceivedBytes = false;
    socket.on('data', () => {
      hasReceivedBytes = true;
    });
    socket.on('error', (error) => {
      socketError = error;
    });
    try {
      const response = await exchange(socket, {
        method,
        // The root of an API below the prefix `/ci` is `/ci` itself: `/?a=b` becomes `/ci?a=b`.
        target: prefix + (prefix === '' ? target : target.replace(/^\/(?=\?|$)/, '')),
        // `exchange` takes header values with one character per byte.
        headers: Object.entries({ host, connection: 'close', ...headers }).map(([name, value]) => [
          name,
          Buffer.from(value).toString('latin1'),
        ]),
        ...(body === undefined ? {} : { body: Buffer.from(body as string) }),
      });
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers.map(([name, value]) => [name.toLowerCase(), value])),
        text: Buffer.from(response.body).toString(),
      };
    } catch (error) {
      if (hasReceivedBytes) throw error;
      throw new HarnessError(
        `${base} closed the connection without a response: ${errorMessageOf(socketError ?? error)}`,
      );
    } finally {
      socket.destroy();
    }
  },
  close: async () => {},
});

const errorMessages: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  ENOTFOUND: 'the host name does not exist',
  EAI_AGAIN: 'the lookup of the host name failed',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the connection timed out',
  EPROTO: 'the server does not speak TLS',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the server does not speak TLS',
};

/** Why there is no connection. A host with several addresses has a reason for each: the first is reported. */
function errorMessageOf(error: unknown): string {
  const one = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  const { code, message } = one as NodeJS.ErrnoException;
  return errorMessages[code ?? ''] ?? message;
}
