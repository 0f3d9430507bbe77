import { createServer } from 'node:http';
import { createApi } from 'millrace';
import { knexStorage } from 'millrace/knex';
import { nodeHandler } from 'millrace/node';

const storage = knexStorage({ client: 'sqlite', filename: process.env.DATABASE ?? 'ci.db' });
const api = createApi({ storage, baseUrl: 'https://example.com/ci' });
await api.prepare();
await api.provision.organization({ slug: 'acme' });
const organizations = [{ organization: 'acme', role: 'admin' as const }];
await api.provision.user({ name: 'Ada', email: 'ada@acme.example', organizations });
const { token } = await api.runtime.accessTokens.issue({ user: 'ada@acme.example' });
const ci = nodeHandler(api, { prefix: '/ci' });
const server = createServer((req, res) => ci(req, res, () => res.end('A page of my own')));
server.listen(Number(process.env.PORT ?? 3000), () => console.log(token));
