import assert from 'node:assert/strict';
import type { Case } from '../../case.js';
import { buildsPath, Driver } from '../driver.js';
import { organizationFixture } from '../fixture.js';
import { type ServiceHarness, withService } from '../service.js';

/** Admins and members of a team that manages the pipeline see its webhook URL. Others see an empty text. */
const visible: Case<ServiceHarness> = {
  id: 'builds.webhook-url',
  cites: 'spec 2.5, spec 5.6, decisions 2',
  async run(harness) {
    const fixture = organizationFixture('acme');
    const [team] = fixture.teams ?? [];
    if (!team) throw new Error('the fixture has no team');
    for (const access_level of ['read_only', 'build_and_read', 'manage_build_and_read'] as const) {
      const teams = [
        { ...team, pipelines: [{ pipeline: 'web', access_level }] },
        {
          ...team,
          name: 'Strangers',
          members: [],
          pipelines: [{ pipeline: 'web', access_level: 'manage_build_and_read' as const }],
        },
      ];
      await withService(harness, { ...fixture, teams }, async (service) => {
        const seen = { admin: true, member: access_level === 'manage_build_and_read', stopper: false };
        for (const [who, sees] of Object.entries(seen)) {
          const token = service.tokens[`${who}@acme.test`] ?? null;
          const wanted = sees ? 'https://hooks.acme.test/web' : '';
          const responses = await Promise.all([
            service.send('GET', `${buildsPath}/1`, { token }),
            service.send('POST', buildsPath, { token, body: { commit: 'c', branch: 'b' } }),
            service.send('PUT', `${buildsPath}/1/rebuild`, { token }),
          ]);
          for (const list of ['/v2/builds', '/v2/organizations/acme/builds', buildsPath]) {
            const { body } = await service.send('GET', list, { token });
            for (const build of body) {
              const other = build.pipeline.slug !== 'web';
              const url = build.pipeline.provider.webhook_url;
              // Only the admin manages the other pipeline, and it has no webhook URL.
              assert.equal(url, other ? '' : wanted, `${who} with ${access_level} at ${list}`);
            }
          }
          for (const { body } of responses)
            assert.equal(body.pipeline.provider.webhook_url, wanted, `${who} ${access_level}`);
        }
        const canceled = await new Driver(service).cancel(1);
        assert.equal(canceled.body.pipeline.provider.webhook_url, 'https://hooks.acme.test/web');
      });
    }
  },
};

export const webhooks: readonly Case<ServiceHarness>[] = [visible];
