import { command } from './command.js';
import { demoSource, type FixtureSource, readFixtureFile } from './fixture-source.js';
import { createLazyApi } from './lazy-api.js';
import { listen } from './listen.js';
import { findSummaryIds } from './load-fixture.js';
import { type Ready, readyJson, readyMessage } from './ready-message.js';
import { type ResolvedServeOptions, resolveServeOptions, serveOptions } from './serve-options.js';
import { type Service, startService } from './service.js';
import { watchSignals } from './signals.js';
import type { Simulation } from './simulation/index.js';
import { issueStartToken } from './start-token.js';
import { locationLabel, withStorageUsageErrors } from './storage.js';

export const serveCommand = command(
  {
    name: 'serve',
    summary: 'Serves the API over HTTP, with the records of a demo or of a fixture.',
    operands: [],
    options: serveOptions,
  },
  async (values) => serve(resolveServeOptions(values)),
);

/** In milliseconds: how long requests under way may take when the service stops. */
const graceMs = 5_000;

/** Serves until a signal arrives. Listens before it writes anything. */
async function serve(options: ResolvedServeOptions): Promise<void> {
  const source = options.fixture === undefined ? demoSource : await readFixtureFile(options.fixture);
  const signals = watchSignals();
  const lazyApi = createLazyApi();
  const server = await listen(lazyApi, options);
  const { service, ready } = await startAndDescribe(options, source, server.url).catch(async (error: unknown) => {
    await server.close({ graceMs: 0 });
    throw error;
  });
  const { api, storage } = service;
  lazyApi.setApi(api);
  let simulation: Promise<Simulation> | undefined;
  const stopped = signals.onFirstSignal(async () => {
    await (await simulation)?.stop();
    await server.close({ graceMs });
    await api.close();
  });
  printReady(options, source, service, ready);
  if (options.simulate) simulation = import('./simulation/index.js').then(({ simulate }) => simulate(api, storage));
  await stopped;
}

/** Starts the service and collects what the command prints. */
async function startAndDescribe({ location, baseUrl }: ResolvedServeOptions, source: FixtureSource, url: string) {
  const service = await startService(location, source, baseUrl ?? url);
  try {
    return { service, ready: await withStorageUsageErrors(() => describeService(service, source, url)) };
  } catch (error) {
    await service.api.close();
    throw error;
  }
}

async function describeService({ api, storage }: Service, { summary }: FixtureSource, url: string): Promise<Ready> {
  const { host } = new URL(url);
  const token = await issueStartToken(api, storage, summary, host);
  const { suite, team } = await findSummaryIds(storage, summary);
  const { organization, pipeline } = summary;
  return { url, token, organization, pipeline, suite: summary.suite, suite_id: suite, team_id: team };
}

function printReady(
  { json, location }: ResolvedServeOptions,
  source: FixtureSource,
  { wasLoaded }: Service,
  ready: Ready,
): void {
  if (wasLoaded) process.stderr.write(`${source.name} is already in the storage and was not loaded again.\n`);
  const storageLabel =
    location.kind === 'memory' ? 'in memory, lost when the process ends' : `stored in ${locationLabel(location)}`;
  process.stdout.write(json ? readyJson(ready) : readyMessage(ready, storageLabel));
}
