import test from 'ava';
import { fakeService } from '../../../adapters/fake/index.js';
import { memoryStorage } from '../../../adapters/memory/index.js';
import { sharingStorage } from '../../../conformance/mutants/storage/correct-storages.js';
import { mergeFixtures, organizationFixture } from '../../../conformance/service/fixture.js';

test('organizations whose counters are one and the same object each see their own pipeline', async (t) => {
  const slugs = ['acme', 'rival'];
  const users = [
    { name: 'Both', email: 'both@both.test', organizations: slugs.map((organization) => ({ organization })) },
  ];
  const both = { users, access_tokens: [{ user: 'both@both.test' }] };
  const storage = sharingStorage(memoryStorage());
  const fixture = mergeFixtures(...slugs.map(organizationFixture), both);
  const service = await fakeService({ storage, fixture });
  const { token } = await service.api.runtime.accessTokens.issue({ user: 'both@both.test' });
  for (let time = 0; time < 2; time += 1) {
    for (const slug of slugs) {
      const path = `/v2/organizations/${slug}/pipelines/web`;
      const { body: builds } = await service.request('GET', `${path}/builds`, { token });
      const { body: build } = await service.request('GET', `${path}/builds/1`, { token });
      t.true(builds.length > 0);
      for (const { pipeline } of [...builds, build]) {
        t.is(pipeline.repository, `git@${slug}.test:web.git`);
        t.is(pipeline.url, `${service.baseUrl}${path}`);
      }
    }
  }
  await service.close();
});
