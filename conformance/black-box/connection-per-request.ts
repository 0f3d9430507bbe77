import { HarnessError } from '../runner/failure.js';
import type { Wire } from '../service/wire.js';
import { exchange } from '../transport/socket-client.js';
import type { Address } from './address.js';

/**
 * Sends requests to an address as they are, each over a connection of its own that the answer ends: so whatever comes too much
 * is seen, such as a body where there must be none. Redirects are answers like any other. That nobody is there, or that
 * the connection breaks before anything has come, is no fault of an API: nothing is known of it then.
 */
export const connectionPerRequest = ({ base, prefix, host, connect }: Address): Wire => ({
  async send({ method, target, headers = {}, body }) {
    const socket = await connect().catch((error: unknown) => {
      throw new HarnessError(`Nobody answers at ${base}: ${errorMessageOf(error)}`);
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
        // The root of an API below a prefix is the prefix itself, as `/?a=b` is `/ci?a=b`.
        target: prefix + (prefix === '' ? target : target.replace(/^\/(?=\?|$)/, '')),
        // Texts of the wire have one character a byte.
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
        `${base} has ended the connection without an answer: ${errorMessageOf(socketError ?? error)}`,
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
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host could not be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the connection took too long',
  EPROTO: 'it does not speak TLS',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS',
};

/** Why there is no connection; hosts with several addresses have a reason for each, and the first will do. */
function errorMessageOf(error: unknown): string {
  const one = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  const { code, message } = one as NodeJS.ErrnoException;
  return errorMessages[code ?? ''] ?? message;
}
