import { listening, testTransport } from '../../adapters/_transport.test.js';
import { overSockets } from '../../conformance/transport/index.js';
import { minimalTransport } from './minimal-transport.js';

testTransport(
  overSockets((api, { prefix }) => listening(minimalTransport(api, prefix))),
  'sockets',
  'raw-targets',
  'malformed-escapes',
  'header-case',
  'alone',
);
