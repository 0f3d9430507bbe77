import { batch, insert } from '../../core/commands/batch.js';
import type { Storage } from '../../core/index.js';
import type { EntityName } from '../../core/model/index.js';
import { buildsOf } from './builds.js';
import type { OrganizationFixture } from './organization.js';
import type { Size } from './size.js';

/** Inserts the data into any storage through its port. */
export async function loadStorage(storage: Storage, size: Size, fixture: OrganizationFixture): Promise<void> {
  const { organization, users, members, token, cluster, queue, agentToken, agents, pipelines } = fixture;
  const insertsOf = (entity: EntityName, rows: readonly object[]) => rows.map((row) => insert(entity, row as never));
  await storage.commit(
    batch({
      insert: [
        ...insertsOf('organization', [organization]),
        ...insertsOf('user', users),
        ...insertsOf('member', members),
        ...insertsOf('accessToken', [token]),
        ...insertsOf('cluster', [cluster]),
        ...insertsOf('queue', [queue]),
        ...insertsOf('agentToken', [agentToken]),
        ...insertsOf('agent', agents),
        ...insertsOf('pipeline', pipelines),
      ],
    }),
  );
  for (const { build, jobs } of buildsOf(size, fixture)) {
    await storage.commit(batch({ insert: [...insertsOf('build', [build]), ...insertsOf('job', jobs)] }));
  }
  for (const [index, { id }] of pipelines.entries())
    await storage.next(`build.number/${id}`, size.pipelines[index] ?? 0);
}
