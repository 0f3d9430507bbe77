import { overSockets } from '../../conformance/transport/index.js';
import { testTransport } from '../_transport.test.js';
import { serveKoa } from './index.js';

testTransport(
  overSockets((api, { prefix }) => serveKoa(api, { prefix })),
  'sockets',
  'raw-targets',
  'malformed-escapes',
  'header-case',
  'alone',
);
