import { overSockets } from '../../conformance/transport/index.js';
import { testTransport } from '../../test/support/transport.js';
import { serveKoa } from './index.js';

testTransport(
  overSockets((api, { prefix }) => serveKoa(api, { prefix })),
  'sockets',
  'raw-targets',
  'malformed-escapes',
  'header-case',
  'alone',
);
