import { answerCases } from './answers.js';
import { bodyCases } from './bodies.js';
import type { TransportCase, TransportClaim } from './case.js';
import { leavingCases } from './leaving.js';
import { mishapCases } from './mishaps.js';
import { mountingCases } from './mounting.js';
import { requestCases } from './requests.js';

export type {
  OpenOptions,
  OpenTransport,
  RawAnswer,
  RawRequest,
  Send,
  TransportCase,
  TransportClaim,
  TransportHarness,
} from './case.js';
export { type FetchStyle, inProcessTransport } from './in-process.js';
export { type Listening, overSockets, socketClient } from './socket-client.js';

/** Everything that a transport is held to. */
export const transportCases: readonly TransportCase[] = [
  ...requestCases,
  ...answerCases,
  ...bodyCases,
  ...leavingCases,
  ...mishapCases,
  ...mountingCases,
];

/** The cases that say something about a transport that claims so much. */
export const transportCasesFor = (...claims: readonly TransportClaim[]): readonly TransportCase[] =>
  transportCases.filter(({ needs }) => needs.every((need) => claims.includes(need)));
