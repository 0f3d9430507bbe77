import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import fc from 'fast-check';
import type { KnexOptions } from '../../../adapters/knex/index.js';
import { freshDatabase } from '../../../test/support/postgres/database.js';
import { propertyParameters, seed } from '../../property-settings.js';
import { organizationFixture } from '../fixture.js';
import type { WireResponse } from '../wire.js';
import { type ApiClient, localApi } from './_api-client.test.js';
import { startApiProcess } from './_api-process.test.js';
import { type KnownRecords, randomSecond, runCommand } from './_random-commands.test.js';

const acme = '/v2/organizations/acme';
const lists = [
  '/v2/builds?per_page=7',
  `${acme}/builds?state[]=running&state[]=scheduled`,
  `${acme}/pipelines/web/builds?include_retried_jobs=true`,
  `${acme}/pipelines/web/builds?branch=main&per_page=2&page=2`,
  `${acme}/pipelines/deploy/builds`,
  `${acme}/agents?per_page=3`,
  `${acme}/teams?per_page=2`,
];

/** What may lag behind for a second in another process: how long a list is, and how many builds and jobs a pipeline has. */
const mayLag = /"(?:scheduled|running|waiting)_(?:builds|jobs)_count":\d+/g;

interface ComparedResponse {
  readonly status: number;
  readonly link: string | undefined;
  readonly text: string;
}
const comparedResponse = ({ status, headers, text }: WireResponse): ComparedResponse => ({
  status,
  link: headers.link,
  text,
});
const withoutLaggingFields = ({ status, text }: ComparedResponse) => ({ status, text: text.replace(mayLag, '') });

/**
 * Looks at everything through all Apis: the one that keeps nothing is right. `whole`: who has to be right about what may lag
 * behind as well.
 */
async function compare(
  records: KnownRecords,
  reference: ApiClient,
  apiClients: readonly ApiClient[],
  fullyComparedClient: ApiClient | 'all' | 'none',
): Promise<void> {
  const targets = [
    ...lists,
    ...records.builds.slice(-3).map(({ pipeline, number }) => `${acme}/pipelines/${pipeline}/builds/${number}`),
    ...records.agents.slice(-3).map((id) => `${acme}/agents/${id}`),
    ...records.queues.slice(-2).map((path) => `${acme}/clusters/${path}`),
    `${acme}/clusters/${records.queues[0]?.split('/')[0]}/queues`,
  ];
  for (const target of targets) {
    const fetchTarget = async (apiClient: ApiClient) =>
      comparedResponse(await apiClient({ type: 'send', method: 'GET', target, token: records.token }));
    const expected = await fetchTarget(reference);
    assert.ok(expected.status === 200 || expected.status === 404, `${target} answers ${expected.status}`);
    for (const apiClient of apiClients) {
      const actual = await fetchTarget(apiClient);
      if (fullyComparedClient === 'all' || fullyComparedClient === apiClient)
        assert.deepEqual(actual, expected, target);
      else assert.deepEqual(withoutLaggingFields(actual), withoutLaggingFields(expected), target);
    }
  }
}

async function open(
  database: KnexOptions,
  reference: ApiClient,
  own: ApiClient,
  other: ApiClient,
): Promise<KnownRecords> {
  await reference({ type: 'open', database, seed, cache: { renderings: 0, lookups: 0 } });
  await own({ type: 'open', database, seed: seed + 1, cache: undefined });
  await other({ type: 'open', database, seed: seed + 2, cache: undefined });
  const loaded = await own({ type: 'load', fixture: organizationFixture('acme') });
  const { token } = loaded.access_tokens[0];
  const read = async (target: string) =>
    JSON.parse((await reference({ type: 'send', method: 'GET', target, token })).text);
  const [cluster] = await read(`${acme}/clusters`);
  const queues = await read(`${acme}/clusters/${cluster.id}/queues`);
  const records: KnownRecords = {
    token,
    agentToken: loaded.agent_tokens[0].token,
    builds: [],
    agents: [],
    jobs: [],
    queues: queues.map(({ id }: { id: string }) => `${cluster.id}/queues/${id}`),
    teams: [],
    commandCount: 0,
  };
  // Somebody to work, and something to work on.
  for (const does of ['connect', 'connect', 'create', 'create'] as const) {
    await runCommand({ does, place: 1, other: false }, records, own);
  }
  return records;
}

/** After every acknowledged change the next answer of either process shows it, as one that keeps nothing answers. */
async function checkCoherence(databases: () => KnexOptions): Promise<number> {
  const { client: other, end } = startApiProcess();
  const seconds = fc.array(randomSecond, { minLength: 4, maxLength: 8, size: 'max' });
  let made = 0;
  const property = fc.asyncProperty(seconds, async (randomSeconds) => {
    const [reference, own] = [localApi(), localApi()];
    const all = [reference, own, other];
    const records = await open(databases(), reference, own, other);
    try {
      for (const { by, moves } of randomSeconds) {
        for (const move of moves) {
          const apiClient = by === 'both' ? (move.other ? other : own) : by === 'own' ? own : other;
          await runCommand(move, records, apiClient);
          made += 1;
          await compare(records, reference, [own, other], by === 'both' ? 'none' : apiClient);
        }
        for (const apiClient of all) await apiClient({ type: 'advance', milliseconds: 1_000 });
        await compare(records, reference, [own, other], 'all');
      }
    } finally {
      for (const apiClient of all) await apiClient({ type: 'close' });
    }
  });
  try {
    await fc.assert(property, propertyParameters(4));
    return made;
  } finally {
    await end();
  }
}

test.serial('two processes on one SQLite file: what one has changed, the other shows at once', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-'));
  let opened = 0;
  try {
    t.log(await checkCoherence(() => ({ client: 'sqlite', filename: join(directory, `${opened++}.db`) })), 'changes');
  } finally {
    await rm(directory, { recursive: true });
  }
  t.pass();
});

test.serial('two processes on one PostgreSQL database: what one has changed, the other shows at once', async (t) => {
  const { url, drop } = await freshDatabase();
  let opened = 0;
  try {
    t.log(
      await checkCoherence(() => ({
        client: 'postgres',
        connection: url,
        tablePrefix: `s${opened++}_`,
        pool: { max: 4 },
      })),
      'changes',
    );
  } finally {
    await drop();
  }
  t.pass();
});
