import type { OpenOptions, OpenTransport } from '../../../conformance/transport/index.js';
import type { HttpApi } from '../../../core/ports/index.js';
import { Complaint } from '../complaint.js';
import { loaded } from './loaded.js';
import type { Suite } from './suite.js';
import type { TransportSubject } from './transports.js';

/** What a transport and its host may be able to do, and what HTTP may be asked through them. */
const transportClaims = [
  'sockets',
  'raw-targets',
  'malformed-escapes',
  'header-case',
  'body-parser',
  'own-routes',
  'alone',
] as const;
const serviceClaims = ['raw-targets', 'any-method'] as const;

type Make = (api: HttpApi, options: OpenOptions) => unknown;

/**
 * The transport that a module gives: its default export, or the one called `transport`, is a function that puts an API behind it;
 * `claims` is a list of what it can do beyond what all transports can. What is wrong with the module is a complaint; what is
 * wrong with what it makes is an error of the case that has asked for it.
 */
export async function transportOfModule(path: string, suite: Suite): Promise<TransportSubject> {
  const given = await loaded(path);
  const make = given.default ?? given.transport;
  if (typeof make !== 'function') {
    throw new Complaint(
      `${path} must export a function as its default or as transport, which puts an API behind the transport`,
    );
  }
  const claimed = claimsOf(path, given.claims ?? []);
  return {
    harness: { open: async (api, options = {}) => opened(suite, await (make as Make)(api, options), api, options) },
    claims: transportClaims.filter((claim) => claimed.includes(claim)),
    serviceClaims: serviceClaims.filter((claim) => claimed.includes(claim)),
  };
}

function claimsOf(path: string, claims: unknown): readonly string[] {
  if (!Array.isArray(claims)) throw new Complaint(`${path} exports claims, which must be a list of texts`);
  const known: readonly unknown[] = [...transportClaims, ...serviceClaims];
  const odd = claims.find((claim) => !known.includes(claim));
  if (odd === undefined) return claims;
  throw new Complaint(`${path} claims ${JSON.stringify(odd)}; known are ${[...new Set(known)].join(', ')}`);
}

/** Whatever form the module has chosen: something that listens, a handler of requests, or a way to send. */
async function opened(suite: Suite, made: unknown, api: HttpApi, options: OpenOptions): Promise<OpenTransport> {
  if (typeof made === 'function') return suite.inProcessTransport(made as (request: Request) => Response);
  const { port, send, close } = (made ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof close === 'function') {
    if (typeof send === 'function') return made as OpenTransport;
    if (Number.isInteger(port)) return suite.overSockets(async () => made as never).open(api, options);
  }
  throw new suite.HarnessBroke(
    'The transport must give { port, close } of what listens on the loopback address, a function (Request) => Response, ' +
      'or { send, close }',
  );
}
