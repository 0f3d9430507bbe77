import test from 'ava';
import express from 'express';
import { overSockets } from '../../conformance/transport/index.js';
import { recordingApi } from '../../conformance/transport/recording-api.js';
import { listenOnFreePort, testTransport } from '../../test/support/transport.js';
import { nodeHandler } from './index.js';

testTransport(
  overSockets((api, { prefix = '/', bodyParser }) => {
    const app = express();
    if (bodyParser) app.use(express.json({ strict: false }));
    app.use(prefix, nodeHandler(api));
    app.use((_request, response) => {
      response.end('the host');
    });
    return listenOnFreePort(app);
  }),
  'sockets',
  'raw-targets',
  'malformed-escapes',
  'header-case',
  'body-parser',
  'own-routes',
);

test("the client address is the host's request.ip, and a prefix that Express has stripped is not stripped again", async (t) => {
  const api = recordingApi();
  const app = express()
    .set('trust proxy', true)
    .use('/ci', nodeHandler(api, { prefix: '/ci' }));
  const { port, close } = await listenOnFreePort(app);
  const headers = { 'X-Forwarded-For': '203.0.113.7' };
  t.is((await fetch(`http://127.0.0.1:${port}/ci/v2/x`, { headers })).status, 200);
  t.is(api.seen[0]?.remoteAddress, '203.0.113.7');
  t.is(api.seen[0]?.target, '/v2/x');
  await close();
});
