import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { importPackage } from '../packages.js';
import type { Peer } from './peer.js';

interface JsonServer {
  create(): ((...given: unknown[]) => void) & { use(what: unknown): void };
  rewriter(rules: Readonly<Record<string, string>>): unknown;
  router(database: object): { readonly db: { readonly _: { id: string } } };
}

/**
 * json-server with responses of Millrace as its database, and rules that rewrite the paths. It only serves reads: no tokens, no
 * `last` link, no state changes.
 */
export const jsonServer: Peer = {
  description: 'json-server, responses of Millrace as its database',
  database: 'none',
  equality: 'JSON',
  endpoints: ['one build', 'list, page 1', 'list, state + branch'],
  async start({ constants = {} }) {
    const { default: server } = await importPackage<{ default: JsonServer }>('json-server');
    const app = server.create();
    const builds = '/v2/organizations/acme/pipelines/:pipeline/builds';
    app.use(
      server.rewriter({
        [`${builds}/:number`]: '/builds/:number',
        [`${builds}?state=:state&branch=:branch`]: '/builds?state=:state&branch=:branch&_page=1&_limit=30',
        [builds]: '/builds?_page=1&_limit=30',
      }),
    );
    const router = server.router(JSON.parse(readFileSync(constants.file ?? '', 'utf8')));
    router.db._.id = 'number';
    app.use(router);
    const httpServer = createServer(app);
    await new Promise<void>((resolve) => httpServer.listen(0, '127.0.0.1', resolve));
    return {
      url: `http://127.0.0.1:${(httpServer.address() as AddressInfo).port}`,
      close: async () => {
        httpServer.closeAllConnections();
        httpServer.close();
      },
    };
  },
};
