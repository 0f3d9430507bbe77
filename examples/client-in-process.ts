import { createClient } from 'millrace/client';
import { fakeService } from 'millrace/fake';

const { api, token, organization, close } = await fakeService();
const client = createClient({ api, token });
const refused = await client.clusters.create({ organization, body: { name: ' ' } });
if (!refused.ok) console.log(refused.status, refused.message);
await close();
