import express from 'express';
import { overSockets } from '../../conformance/transport/index.js';
import { listening, testTransport } from '../_transport.test.js';
import { nodeHandler } from './index.js';

testTransport(
  overSockets((api, { prefix = '/', bodyParser }) => {
    const app = express();
    if (bodyParser) app.use(express.json({ strict: false }));
    app.use(prefix, nodeHandler(api));
    app.use((_request, response) => {
      response.end('the host');
    });
    return listening(app);
  }),
  'sockets',
  'raw-targets',
  'malformed-escapes',
  'header-case',
  'body-parser',
  'own-routes',
);
