import { createClient } from 'millrace/client';

const client = createClient({ url: process.env.API ?? 'http://127.0.0.1:4000', token: process.env.TOKEN });
const web = { organization: 'acme', pipeline: 'web' };

const created = await client.builds.create({ ...web, body: { commit: 'HEAD', branch: 'main' } });
if (!created.ok) throw new Error(`${created.status}: ${created.message}`);
console.log(`#${created.value.number} is ${created.value.state}`);

const page = await client.builds.listByPipeline({ ...web, query: { per_page: 10 } });
if (page.ok) console.log(page.value.items.length, page.value.links.next ?? 'no more');

const query = { branch: 'main', state: ['scheduled', 'running'] as const, meta_data: { release: '1.2' } };
for await (const build of client.builds.listByPipeline.all({ ...web, query })) console.log(build.number);
