import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';
import { memoryStorage } from '../../adapters/memory/index.js';
import { nodeHandler } from '../../adapters/node/index.js';
import { addressOf } from '../../conformance/black-box/address.js';
import { blackBoxLevel, type ServiceUnderTest } from '../../conformance/black-box/level.js';
import { type Report, type Result, runSuite } from '../../conformance/runner/index.js';
import { mergeFixtures, organizationFixture } from '../../conformance/service/fixture.js';
import type { Fixture } from '../../conformance/service/service.js';
import { type Api, type ApiRequest, type ApiResponse, createApi, type Storage } from '../../core/index.js';

/** Handles a request. Mutants wrap such a function. */
export type Handle = (request: ApiRequest) => Promise<ApiResponse>;

export interface ServeOptions {
  readonly storage?: Storage;
  readonly fixture?: Fixture;
  readonly prefix?: string;
  readonly middleware?: (handle: Handle) => Handle;
  /** Called before the transport. Returns true if it has sent a response itself. */
  readonly before?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

export interface ServedApi {
  readonly api: Api;
  readonly url: string;
  readonly port: number;
  /** Access tokens by the email of their user. */
  readonly tokens: Readonly<Record<string, string>>;
}

/** A fixture with enough records for several pages of each list. */
export function richFixture(): Fixture {
  const base = mergeFixtures(organizationFixture('acme'), organizationFixture('rivals'));
  const at = { organization: 'acme' };
  const numbers = [1, 2, 3, 4, 5, 6];
  const builds = numbers.map((number) => ({
    ...at,
    pipeline: 'web',
    commit: String(number).repeat(40),
    branch: number % 2 === 0 ? 'even' : 'odd',
    state: 'passed' as const,
    meta_data: { parity: String(number % 2) },
  }));
  return {
    ...base,
    clusters: [...(base.clusters ?? []), ...numbers.map((number) => ({ ...at, name: `Cluster ${number}` }))],
    agents: [
      ...(base.agents ?? []),
      ...numbers.map((number) => ({
        ...at,
        cluster: 'acme cluster',
        name: `agent-${number}`,
        hostname: `host-${number}`,
      })),
    ],
    builds: [...(base.builds ?? []), ...builds],
  };
}

/** Serves an API on a free port of the loopback address until the test ends. */
export async function serveApi(t: ExecutionContext, options: ServeOptions = {}): Promise<ServedApi> {
  const { storage = memoryStorage(), fixture = richFixture(), prefix = '', middleware, before } = options;
  let handler: ReturnType<typeof nodeHandler> | undefined;
  const server = createServer((request, response) => {
    if (before?.(request, response) !== true) handler?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}${prefix}`;
  const api = createApi({ storage, baseUrl: url });
  await api.prepare();
  const { access_tokens } = await api.load(fixture);
  const executions = (['passed', 'failed'] as const).flatMap((result) =>
    ['x', 'y', 'z'].map((name) => ({ name, result, commit: 'c', branch: 'main' })),
  );
  if (fixture.suites !== undefined)
    await api.runtime.tests.record({ organization: 'acme', suite: 'acme-suite', executions });
  const handle: Handle = (request) => api.handle(request);
  const front = { matches: () => true, handle: middleware ? middleware(handle) : handle };
  handler = nodeHandler(front, { prefix });
  t.teardown(async () => {
    server.closeAllConnections();
    server.close();
    await api.close();
  });
  return { api, url, port, tokens: Object.fromEntries(access_tokens.map(({ user, token }) => [user, token])) };
}

export type BlackBoxRunOptions = Partial<Omit<ServiceUnderTest, 'address'>> & {
  readonly url?: string;
  /** Whether the run ends with the first case that fails. */
  readonly untilFailure?: boolean;
};

/** Runs the black-box cases against a service, by default with the token of its admin. */
export function runBlackBox(
  { url, tokens }: Pick<ServedApi, 'url' | 'tokens'>,
  options: BlackBoxRunOptions = {},
): Promise<Report> {
  const { url: other, untilFailure = false, ...rest } = options;
  const address = addressOf(other ?? url);
  if (address === undefined) throw new Error(`${other} is not an http or https URL`);
  const serviceUnderTest = { token: tokens['admin@acme.test'] ?? '', organization: 'acme', ...rest, address };
  const firstFailure = new AbortController();
  return runSuite({
    levels: [blackBoxLevel(serviceUnderTest)],
    seed: 1,
    signal: firstFailure.signal,
    onResult: ({ status }) => {
      if (untilFailure && status === 'Fail') firstFailure.abort();
    },
  });
}

/** The failures as `Fail id: message`, with messages cut to 300 characters. */
export const failuresIn = ({ results }: Report): string[] =>
  results.filter(({ fault }) => fault !== undefined).map(formatFailure);

const formatFailure = ({ status, id, fault }: Result): string => `${status} ${id}: ${fault?.message.slice(0, 300)}`;
