import type { TransportCapability, TransportCase } from './case.js';
import { clientAbortCases } from './client-abort.js';
import { internalErrorCases } from './internal-errors.js';
import { prefixAndHostCases } from './prefix-and-host.js';
import { requestBodyCases } from './request-bodies.js';
import { requestCases } from './requests.js';
import { responseCases } from './responses.js';

export type {
  OpenOptions,
  OpenTransport,
  RawRequest,
  RawResponse,
  Send,
  TransportCapability,
  TransportCase,
  TransportHarness,
} from './case.js';
export { type FetchHandler, inProcessTransport } from './in-process.js';
export { type ListeningServer, overSockets, socketClient } from './socket-client.js';

/** All cases of the transport contract. */
export const transportCases: readonly TransportCase[] = [
  ...requestCases,
  ...responseCases,
  ...requestBodyCases,
  ...clientAbortCases,
  ...internalErrorCases,
  ...prefixAndHostCases,
];

/** The cases that a transport with these capabilities must pass. */
export const transportCasesFor = (...capabilities: readonly TransportCapability[]): readonly TransportCase[] =>
  transportCases.filter(({ needs }) => needs.every((need) => capabilities.includes(need)));
