import { overSockets } from '../../conformance/transport/index.js';
import { testTransport } from '../../test/support/transport.js';
import { serveFetch } from './serve.js';

testTransport(
  overSockets((api, { prefix }) => serveFetch(api, { prefix })),
  'sockets',
  'malformed-escapes',
  'alone',
);
