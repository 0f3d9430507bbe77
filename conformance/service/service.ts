import { seededIds } from '../../adapters/fake/seeded-ids.js';
import { type StillClock, stillClock } from '../../adapters/fake/still-clock.js';
import type { Fixture } from '../../core/host/fixture/schema.js';
import { type Api, type ApiOptions, createApi, type Storage } from '../../core/index.js';
import { seed } from '../settings.js';
import { inProcess } from './in-process.js';
import { type Answer, requestOf, type SendOptions, withBody } from './sending.js';
import { complaints } from './strict.js';
import type { Wire, WireAnswer, WireRequest } from './wire.js';

/** What a combination of adapters gives to the suite. */
export interface ServiceHarness {
  /** A fresh, empty storage. */
  storage(): Promise<Storage>;
  /** How requests reach an Api; absent: by a call in process. */
  wire?(api: Api): Promise<Wire>;
  /** Another judge of every answer, who tells what is wrong with it. */
  judge?(request: WireRequest, answer: WireAnswer): Promise<readonly string[]>;
  /** How an Api is made of the options that the suite has for it; absent: by `createApi`. */
  make?(options: ApiOptions): Api;
  /** Ports to put in the place of those that the suite gives to every Api. */
  ports?(given: GivenPorts): Partial<ApiOptions>;
}

/** What the suite gives to every Api that it makes. */
export type GivenPorts = ApiOptions & Required<Pick<ApiOptions, 'clock' | 'ids'>>;

export type { Answer, Fixture, SendOptions };

/** A service of its own for one case: an Api over a fresh storage, in a time that stands still. */
export interface Service {
  readonly api: Api;
  readonly clock: StillClock;
  /** Texts of the access tokens of the fixture, by the email of their user. */
  readonly tokens: Readonly<Record<string, string>>;
  /** Texts of the agent tokens of the fixture, by cluster. */
  readonly agentTokens: Readonly<Record<string, string>>;
  /** Sends a request; an answer that breaks what holds of all answers is an error. */
  send(method: string, target: string, options?: SendOptions): Promise<Answer>;
  close(): Promise<void>;
}

/** Makes a service that holds the records of a fixture. The token of its first user is used where none is named. */
export async function makeService(
  harness: ServiceHarness,
  fixture: Fixture,
  options: Partial<ApiOptions> = {},
): Promise<Service> {
  const clock = stillClock();
  const storage = await harness.storage();
  const errors: unknown[] = [];
  const ports: GivenPorts = {
    storage,
    clock,
    ids: seededIds(seed),
    baseUrl: 'https://api.ci.test',
    webUrl: 'https://ci.test',
    onError: (error) => errors.push(error),
    ...options,
  };
  const { make = createApi } = harness;
  const api = make({ ...ports, ...harness.ports?.(ports) });
  await api.prepare();
  const loaded = await api.host.load(fixture);
  const tokens = Object.fromEntries(loaded.access_tokens.map(({ user, token }) => [user, token]));
  const wire = harness.wire ? await harness.wire(api) : inProcess(api);
  return {
    api,
    clock,
    tokens,
    agentTokens: Object.fromEntries(loaded.agent_tokens.map(({ cluster, token }) => [cluster, token])),
    async send(method, target, { token = Object.values(tokens)[0] ?? null, fault, ...options } = {}) {
      const request = requestOf(method, target, { ...options, token });
      const answer = await wire.send(request);
      const wrong = [
        ...(await complaints(request, answer, fault)),
        ...((await harness.judge?.(request, answer)) ?? []),
      ];
      if (wrong.length > 0) {
        const cause = errors.length > 0 ? errors.at(-1) : undefined;
        throw new Error(`${method} ${target} answered ${answer.status}: ${wrong.join('; ')}`, { cause });
      }
      return withBody(answer);
    },
    async close() {
      await wire.close();
      await api.close();
    },
  };
}

/** Runs something with a service of its own, and closes it whatever happens. */
export async function withService<T>(
  harness: ServiceHarness,
  fixture: Fixture,
  run: (service: Service) => Promise<T>,
  options: Partial<ApiOptions> = {},
): Promise<T> {
  const service = await makeService(harness, fixture, options);
  try {
    return await run(service);
  } finally {
    await service.close();
  }
}
