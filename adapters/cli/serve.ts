import { greeting, jsonLine, type Ready } from './announce.js';
import { type Choices, choicesOf, serveOptions } from './choices.js';
import { command } from './command.js';
import { demoSource, fixtureSource, type Source } from './document.js';
import { makeDoor } from './door.js';
import { listen } from './listen.js';
import { idsOf } from './provision.js';
import { begin, type Service } from './service.js';
import { watchSignals } from './signals.js';
import type { Simulation } from './simulation/index.js';
import { startToken } from './start-token.js';
import { complaining, nameOf } from './storage.js';

export const serveCommand = command(
  {
    name: 'serve',
    summary: 'Serves the API over HTTP, with a demo to look at unless a fixture is given.',
    operands: [],
    options: serveOptions,
  },
  async (given) => serve(choicesOf(given)),
);

/** How long requests under way may take when the service stops. */
const graceMs = 5_000;

/** Serves until a signal comes. The address is taken before anything is written. */
async function serve(choices: Choices): Promise<void> {
  const source = choices.fixture === undefined ? demoSource : await fixtureSource(choices.fixture);
  const signals = watchSignals();
  const door = makeDoor();
  const server = await listen(door, choices);
  const { service, ready } = await begun(choices, source, server.url).catch(async (error: unknown) => {
    await server.close({ graceMs: 0 });
    throw error;
  });
  const { api, storage } = service;
  door.open(api);
  let simulation: Promise<Simulation> | undefined;
  const stopped = signals.stopWith(async () => {
    await (await simulation)?.stop();
    await server.close({ graceMs });
    await api.close();
  });
  announce(choices, source, service, ready);
  if (choices.simulate) simulation = import('./simulation/index.js').then(({ simulate }) => simulate(api, storage));
  await stopped;
}

/** The service with all that is to be told of it. */
async function begun({ place, baseUrl }: Choices, source: Source, url: string) {
  const service = await begin(place, source, baseUrl ?? url);
  try {
    return { service, ready: await complaining(() => introduce(service, source, url)) };
  } catch (error) {
    await service.api.close();
    throw error;
  }
}

async function introduce({ api, storage }: Service, { landmarks }: Source, url: string): Promise<Ready> {
  const { host } = new URL(url);
  const token = await startToken(api, storage, landmarks, host);
  const { suite, team } = await idsOf(storage, landmarks);
  const { organization, pipeline } = landmarks;
  return { url, token, organization, pipeline, suite: landmarks.suite, suite_id: suite, team_id: team };
}

function announce({ json, place }: Choices, source: Source, { found }: Service, ready: Ready): void {
  if (found) process.stderr.write(`${source.name} is in the storage already, and was not loaded again.\n`);
  const kept = place.kind === 'memory' ? 'in memory: it is gone when this ends' : `kept in ${nameOf(place)}`;
  process.stdout.write(json ? jsonLine(ready) : greeting(ready, kept));
}
