import { batch, insert } from '../../core/contract/batch.js';
import type { Storage } from '../../core/index.js';
import type { EntityName } from '../../core/model/index.js';
import { buildsOf } from './builds.js';
import type { Organization } from './organization.js';
import type { Size } from './size.js';

/** Puts the data into any storage by way of its port. */
export async function commitAll(storage: Storage, size: Size, world: Organization): Promise<void> {
  const { organization, users, members, token, cluster, queue, agentToken, agents, pipelines } = world;
  const put = (entity: EntityName, rows: readonly object[]) => rows.map((row) => insert(entity, row as never));
  await storage.commit(
    batch({
      insert: [
        ...put('organization', [organization]),
        ...put('user', users),
        ...put('member', members),
        ...put('accessToken', [token]),
        ...put('cluster', [cluster]),
        ...put('queue', [queue]),
        ...put('agentToken', [agentToken]),
        ...put('agent', agents),
        ...put('pipeline', pipelines),
      ],
    }),
  );
  for (const { build, jobs } of buildsOf(size, world)) {
    await storage.commit(batch({ insert: [...put('build', [build]), ...put('job', jobs)] }));
  }
  for (const [place, { id }] of pipelines.entries())
    await storage.next(`build.number/${id}`, size.pipelines[place] ?? 0);
}
