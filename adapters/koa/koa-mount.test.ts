import { bodyParser } from '@koa/bodyparser';
import Koa from 'koa';
import mount from 'koa-mount';
import { overSockets } from '../../conformance/transport/index.js';
import { listenOnFreePort, testTransport } from '../../test/support/transport.js';
import { koaMiddleware } from './index.js';

testTransport(
  overSockets(async (api, { prefix, bodyParser: parses }) => {
    const app = new Koa();
    // Koa reports errors of the application to this listener; the transport must cause none.
    const errors: unknown[] = [];
    app.on('error', (error) => errors.push(error));
    if (parses) app.use(bodyParser());
    app.use(prefix === undefined ? koaMiddleware(api) : mount(prefix, koaMiddleware(api)));
    app.use((ctx) => {
      ctx.body = 'the host';
    });
    const { port, close } = await listenOnFreePort(app.callback());
    return {
      port,
      async close() {
        await close();
        if (errors.length > 0) throw errors[0];
      },
    };
  }),
  'sockets',
  'raw-targets',
  'malformed-escapes',
  'header-case',
  'body-parser',
  'own-routes',
);
