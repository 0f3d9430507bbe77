import { fakeService } from 'millrace/fake';

const { request, organization, close } = await fakeService();
const { status, body } = await request('GET', `/v2/organizations/${organization}/builds?state=passed`);
console.log(status, body.length);
await close();
