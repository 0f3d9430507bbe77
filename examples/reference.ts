import { createServer } from 'node:http';
import { createApi } from 'millrace';
import { docsPage } from 'millrace/docs';
import { memoryStorage } from 'millrace/memory';
import { nodeHandler } from 'millrace/node';
import { openApiDocument } from 'millrace/openapi';

const baseUrl = 'https://ci.example.com/api';
const api = createApi({ storage: memoryStorage(), baseUrl, pages: docsPage({ title: 'Our CI' }) });
await api.prepare();
const server = createServer(nodeHandler(api, { prefix: '/api' }));
server.listen(Number(process.env.PORT ?? 3000), () =>
  console.log(Object.keys(openApiDocument({ baseUrl }).paths).length),
);
