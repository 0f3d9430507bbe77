import { overSockets } from '../../conformance/transport/index.js';
import { testTransport } from '../../test/support/transport.js';
import { serve } from './serve.js';

const harness = overSockets((api, { prefix }) => serve(api, { prefix }));

testTransport(harness, 'sockets', 'raw-targets', 'malformed-escapes', 'header-case', 'alone');
