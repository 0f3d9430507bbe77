import { inProcessTransport } from '../../conformance/transport/index.js';
import { testTransport } from '../../test/support/transport.js';
import { fetchHandler } from './index.js';

testTransport(
  { open: async (api, { prefix } = {}) => inProcessTransport(fetchHandler(api, { prefix })) },
  'malformed-escapes',
  'alone',
);
