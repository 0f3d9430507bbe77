import { greeting, jsonLine, type Ready } from './announce.js';
import { type Choices, choicesOf, serveOptions } from './choices.js';
import { command } from './command.js';
import { demoSource, fixtureSource, type Source } from './document.js';
import { makeDoor } from './door.js';
import { listen } from './listen.js';
import { idsOf } from './provision.js';
import { begin, type Service } from './service.js';
import { endOnSignal, stopOnSignal } from './signals.js';
import { startToken } from './start-token.js';
import { nameOf } from './storage.js';

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
  const startIsOver = endOnSignal();
  const door = makeDoor();
  const server = await listen(door, choices.host, choices.port);
  let service: Service;
  let ready: Ready;
  try {
    service = await begin(choices.place, source, choices.baseUrl ?? server.url);
    ready = await introduce(service, source, server.url);
  } catch (error) {
    await server.close({ graceMs: 0 });
    throw error;
  }
  const { api, storage } = service;
  door.open(api);
  announce(choices, source, service, ready);
  const simulation = choices.simulate ? (await import('./simulation/index.js')).simulate(api, storage) : undefined;
  startIsOver();
  await stopOnSignal(async () => {
    await simulation?.stop();
    await server.close({ graceMs });
    await api.close();
  });
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
