import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import fc from 'fast-check';
import type { KnexOptions } from '../../../adapters/knex/index.js';
import { freshDatabase } from '../../../adapters/knex/postgres/testing/_database.test.js';
import { seed, trying } from '../../settings.js';
import type { WireAnswer } from '../wire.js';
import { organizationFixture } from '../world.js';
import { make, type Scene, secondOf } from './_moves.test.js';
import { neighbour } from './_neighbour.test.js';
import { ownSide, type Side } from './_side.test.js';

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
const slow = /"(?:scheduled|running|waiting)_(?:builds|jobs)_count":\d+/g;

interface Seen {
  readonly status: number;
  readonly link: string | undefined;
  readonly text: string;
}
const seen = ({ status, headers, text }: WireAnswer): Seen => ({ status, link: headers.link, text });
const atOnce = ({ status, text }: Seen) => ({ status, text: text.replace(slow, '') });

/**
 * Looks at everything through all Apis: the one that keeps nothing is right. `whole`: who has to be right about what may lag
 * behind as well.
 */
async function compare(
  scene: Scene,
  reference: Side,
  sides: readonly Side[],
  whole: Side | 'all' | 'none',
): Promise<void> {
  const targets = [
    ...lists,
    ...scene.builds.slice(-3).map(({ pipeline, number }) => `${acme}/pipelines/${pipeline}/builds/${number}`),
    ...scene.agents.slice(-3).map((id) => `${acme}/agents/${id}`),
    ...scene.queues.slice(-2).map((path) => `${acme}/clusters/${path}`),
    `${acme}/clusters/${scene.queues[0]?.split('/')[0]}/queues`,
  ];
  for (const target of targets) {
    const look = async (side: Side) => seen(await side({ ask: 'send', method: 'GET', target, token: scene.token }));
    const right = await look(reference);
    assert.ok(right.status === 200 || right.status === 404, `${target} answers ${right.status}`);
    for (const side of sides) {
      const given = await look(side);
      if (whole === 'all' || whole === side) assert.deepEqual(given, right, target);
      else assert.deepEqual(atOnce(given), atOnce(right), target);
    }
  }
}

async function open(database: KnexOptions, reference: Side, own: Side, other: Side): Promise<Scene> {
  await reference({ ask: 'open', database, seed, cache: { renderings: 0, lookups: 0 } });
  await own({ ask: 'open', database, seed: seed + 1, cache: undefined });
  await other({ ask: 'open', database, seed: seed + 2, cache: undefined });
  const loaded = await own({ ask: 'load', fixture: organizationFixture('acme') });
  const { token } = loaded.access_tokens[0];
  const read = async (target: string) =>
    JSON.parse((await reference({ ask: 'send', method: 'GET', target, token })).text);
  const [cluster] = await read(`${acme}/clusters`);
  const queues = await read(`${acme}/clusters/${cluster.id}/queues`);
  const scene: Scene = {
    token,
    agentToken: loaded.agent_tokens[0].token,
    builds: [],
    agents: [],
    jobs: [],
    queues: queues.map(({ id }: { id: string }) => `${cluster.id}/queues/${id}`),
    teams: [],
    moves: 0,
  };
  // Somebody to work, and something to work on.
  for (const does of ['connect', 'connect', 'create', 'create'] as const) {
    await make({ does, place: 1, other: false }, scene, own);
  }
  return scene;
}

/** After every acknowledged change the next answer of either process shows it, as one that keeps nothing answers. */
async function neverStale(databases: () => KnexOptions): Promise<number> {
  const { side: other, end } = neighbour();
  const seconds = fc.array(secondOf, { minLength: 4, maxLength: 8, size: 'max' });
  let made = 0;
  const property = fc.asyncProperty(seconds, async (story) => {
    const [reference, own] = [ownSide(), ownSide()];
    const all = [reference, own, other];
    const scene = await open(databases(), reference, own, other);
    try {
      for (const { by, moves } of story) {
        for (const move of moves) {
          const side = by === 'both' ? (move.other ? other : own) : by === 'own' ? own : other;
          await make(move, scene, side);
          made += 1;
          await compare(scene, reference, [own, other], by === 'both' ? 'none' : side);
        }
        for (const side of all) await side({ ask: 'advance', milliseconds: 1_000 });
        await compare(scene, reference, [own, other], 'all');
      }
    } finally {
      for (const side of all) await side({ ask: 'close' });
    }
  });
  try {
    await fc.assert(property, trying(4));
    return made;
  } finally {
    await end();
  }
}

test.serial('two processes on one SQLite file: what one has changed, the other shows at once', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-'));
  let opened = 0;
  try {
    t.log(await neverStale(() => ({ client: 'sqlite', filename: join(directory, `${opened++}.db`) })), 'changes');
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
      await neverStale(() => ({ client: 'postgres', connection: url, tablePrefix: `s${opened++}_`, pool: { max: 4 } })),
      'changes',
    );
  } finally {
    await drop();
  }
  t.pass();
});
