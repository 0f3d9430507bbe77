import { once } from 'node:events';
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';

/** The address of a running service. */
export interface Address {
  /** The URL without a slash at its end: `https://ci.example.com/api`. */
  readonly base: string;
  /** The path of the URL below which the API is mounted: `/api`, or empty. */
  readonly prefix: string;
  /** The value of the header `Host`. */
  readonly host: string;
  connect(): Promise<Socket>;
}

/** Milliseconds without a received byte after which the connection is given up. */
const idleTimeout = 30_000;

/** The address in a URL. Undefined if the URL is not http or https, or has a user, a query or a fragment. */
export function addressOf(text: string): Address | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.username !== '' || url.password !== '' || /[?#]/.test(text)) return undefined;
  const prefix = url.pathname.replace(/\/+$/, '');
  const isSecure = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = Number(url.port || (isSecure ? 443 : 80));
  return {
    base: url.origin + prefix,
    prefix,
    host: url.host,
    async connect() {
      const socket = isSecure
        ? connectSecure({ host, port, servername: isIP(host) === 0 ? host : '', ALPNProtocols: ['http/1.1'] })
        : connectPlain({ host, port, noDelay: true });
      socket.setTimeout(idleTimeout, () =>
        socket.destroy(new Error(`no data was received for ${idleTimeout / 1_000} seconds`)),
      );
      await once(socket, isSecure ? 'secureConnect' : 'connect');
      return socket;
    },
  };
}
