import { bodyParser } from '@koa/bodyparser';
import test from 'ava';
import Koa from 'koa';
import { koaMiddleware } from '../../../adapters/koa/index.js';
import { serveListener } from '../../../adapters/node/index.js';
import { overSockets, transportCasesFor } from '../../transport/index.js';
import { applyTransportMutant, transportMutants } from './mutants.js';

/** A correct transport with every optional capability: Koa with a body parser and its own routes. */
const correctTransport = overSockets((api, { prefix, bodyParser: withBodyParser }) => {
  const app = new Koa();
  if (withBodyParser) app.use(bodyParser());
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

for (const mutant of transportMutants) {
  test(`the suite catches: transport ${mutant.name}`, async (t) => {
    const caughtBy: string[] = [];
    for (const { id, run } of cases) {
      await run(applyTransportMutant(correctTransport, mutant)).catch(() => caughtBy.push(id));
      if (caughtBy.length > 0) break;
    }
    t.not(caughtBy.length, 0, 'no case failed');
    t.log(`caught by ${caughtBy[0]}`);
  });
}

test('the correct transport passes every case', async (t) => {
  for (const { id, run } of cases) await t.notThrowsAsync(run(correctTransport), id);
});
