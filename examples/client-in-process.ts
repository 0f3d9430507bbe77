import { createClient } from 'millrace/client';
import { fakeService } from 'millrace/fake';

const { api, token, organization, close } = await fakeService();
const client = createClient({ api, token });
const result = await client.clusters.create({ organization, body: { name: ' ' } });
if (!result.ok) console.log(result.status, result.message);
await close();
