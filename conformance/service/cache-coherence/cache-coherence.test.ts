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

/** Values that another process may cache for a second: the length of a list (in links), and the counters of a pipeline. */
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
 * Reads all targets through all Apis and compares the responses with those of `reference`, which caches nothing.
 * `fullyComparedClient` must also agree in the fields that may lag.
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
  // Agents and builds for the random commands.
  for (const action of ['connect', 'connect', 'create', 'create'] as const) {
    await runCommand({ action, place: 1, other: false }, records, own);
  }
  return records;
}

/** After every acknowledged command, the next responses of both processes equal those of an Api without caches. */
async function checkCoherence(databases: () => KnexOptions): Promise<number> {
  const { client: other, end } = startApiProcess();
  const seconds = fc.array(randomSecond, { minLength: 4, maxLength: 8, size: 'max' });
  let commandCount = 0;
  const property = fc.asyncProperty(seconds, async (randomSeconds) => {
    const [reference, own] = [localApi(), localApi()];
    const all = [reference, own, other];
    const records = await open(databases(), reference, own, other);
    try {
      for (const { by, commands } of randomSeconds) {
        for (const command of commands) {
          const apiClient = by === 'both' ? (command.other ? other : own) : by === 'own' ? own : other;
          await runCommand(command, records, apiClient);
          commandCount += 1;
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
    return commandCount;
  } finally {
    await end();
  }
}

test.serial('two processes on one SQLite file: each shows the commands of the other immediately', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-'));
  let opened = 0;
  try {
    t.log(await checkCoherence(() => ({ client: 'sqlite', filename: join(directory, `${opened++}.db`) })), 'changes');
  } finally {
    await rm(directory, { recursive: true });
  }
  t.pass();
});

test.serial('two processes on one PostgreSQL database: each shows the commands of the other immediately', async (t) => {
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
      'commands',
    );
  } finally {
    await drop();
  }
  t.pass();
});
