import { bodyParser } from '@koa/bodyparser';
import test from 'ava';
import Koa from 'koa';
import { koaMiddleware } from '../../adapters/koa/index.js';
import { serveListener } from '../../adapters/node/index.js';
import { broken, faults } from './broken.js';
import { overSockets, transportCasesFor } from './index.js';

/** A whole transport, which keeps all that the suite asks for behind a host that has everything. */
const whole = overSockets((api, { prefix, bodyParser: parses }) => {
  const app = new Koa();
  if (parses) app.use(bodyParser());
  app.use(koaMiddleware(api, { prefix }));
  app.use((ctx) => {
    ctx.body = 'the host';
  });
  return serveListener(app.callback());
});

const cases = transportCasesFor(
  'sockets',
  'raw-targets',
  'malformed-escapes',
  'header-case',
  'body-parser',
  'own-routes',
);

for (const fault of faults) {
  test(`broken.${fault.name}`, async (t) => {
    const noticed: string[] = [];
    for (const { id, run } of cases) {
      await run(broken(whole, fault)).catch(() => noticed.push(id));
      if (noticed.length > 0) break;
    }
    t.not(noticed.length, 0, 'no case has noticed');
    t.log(`noticed by ${noticed[0]}`);
  });
}

test('none of it is noticed where nothing is broken', async (t) => {
  for (const { id, run } of cases) await t.notThrowsAsync(run(whole), id);
});
