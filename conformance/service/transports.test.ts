import test from 'ava';
import { serveFetch } from '../../adapters/fetch/serve.js';
import { serveKoa } from '../../adapters/koa/serve.js';
import { memoryStorage } from '../../adapters/memory/index.js';
import { serve } from '../../adapters/node/index.js';
import { testAll } from '../bindings/ava.js';
import { overSockets } from '../transport/index.js';
import { secondOpinion } from './_second-opinion.test.js';
import { serviceCases } from './index.js';
import { throughTransport } from './through-transport.js';

const judge = secondOpinion();

/** What a Request cannot carry: targets that a URL parser would rewrite, and the method TRACE. */
const beyondRequests: readonly string[] = ['raw-targets', 'any-method'];
const noClaims: readonly string[] = [];
const transports = [
  { name: 'node', start: serve, without: noClaims },
  { name: 'koa', start: serveKoa, without: noClaims },
  { name: 'fetch', start: serveFetch, without: beyondRequests },
];

for (const { name, start, without } of transports) {
  const wire = throughTransport(overSockets(async (api) => start(api, { host: '127.0.0.1', port: 0 })));
  const cases = serviceCases
    .filter(({ needs = [] }) => !needs.some((need) => without.includes(need)))
    .map((one) => ({ ...one, id: `${name}: ${one.id}` }));
  testAll(test.serial, cases, async () => ({
    harness: { storage: async () => memoryStorage(), wire, judge },
    close: async () => undefined,
  }));
}
