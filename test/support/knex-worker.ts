import { knexStorage } from '../../adapters/knex/index.js';

// One of several processes on the same database: takes numbers, and raises the counter in a cluster's name as often as told.
const [database = '', rounds = '0', id = '', place = '0'] = process.argv.slice(2);
const storage = knexStorage(JSON.parse(database));
await storage.prepare();

const numbers: number[] = [];
let raised = 0;
while (numbers.length < Number(rounds)) {
  const number = await storage.next('shared');
  numbers.push(number);
  for (;;) {
    const [counter] = await storage.load('cluster.inOrganization', [id]);
    if (counter === undefined) break;
    const { created_by: _, ...cluster } = counter;
    const outcome = await storage.commit({
      expect: [],
      replace: [
        {
          entity: 'cluster',
          row: { ...cluster, version: cluster.version + 1, name: String(Number(cluster.name) + 1) },
        },
      ],
      insert: [{ entity: 'queue', row: queueOf(cluster.id, number) }],
      touch: [],
      remove: [],
      events: [{ type: 'raised', organization_id: cluster.organization_id, at: cluster.created_at, data: { place } }],
    });
    if ('done' in outcome) {
      raised++;
      break;
    }
    if ('duplicate' in outcome) throw new Error(JSON.stringify(outcome));
  }
}
await storage.close();
process.stdout.write(JSON.stringify({ numbers, raised }));

function queueOf(cluster_id: string, number: number) {
  return {
    id: `01990000-0000-7000-8000-${String(number).padStart(12, '0')}`,
    version: 1,
    organization_id: cluster_id,
    cluster_id,
    key: `${place}-${number}`,
    description: null,
    dispatch: 'running' as const,
    dispatch_paused_at: null,
    dispatch_paused_by_id: null,
    dispatch_paused_note: null,
    created_at: '2026-01-31T09:30:00.000Z',
    created_by_id: null,
  };
}
