import { type ManualClock, manualClock } from '../../adapters/fake/manual-clock.js';
import { seededIds } from '../../adapters/fake/seeded-ids.js';
import {
  type Api,
  type ApiOptions,
  type ContainerApiOptions,
  createApi,
  createContainer,
  type DependencyContainer,
  type Fixture,
  tokens as parts,
  type Storage,
} from '../../core/index.js';
import { seed } from '../property-settings.js';
import { inProcess } from './in-process.js';
import { buildRequest, type ParsedResponse, parseBody, type SendOptions } from './request.js';
import { responseViolations } from './response-checks.js';
import type { Wire, WireRequest, WireResponse } from './wire.js';

/** How the suite creates services with the tested adapters. */
export interface ServiceHarness {
  /** Opens a new, empty storage. */
  storage(): Promise<Storage>;
  /** How requests reach an Api. Default: a call in process. */
  wire?(api: Api): Promise<Wire>;
  /** An additional check of every response. Returns descriptions of violations. */
  validateResponse?(request: WireRequest, response: WireResponse): Promise<readonly string[]>;
  /** Creates an Api from the options of the suite. Default: `createApi`. */
  apiFactory?(options: ContainerApiOptions): Api;
  /** Swaps registrations of the container that every Api gets: it has the storage, the clock and the ids of the suite. */
  swapParts?(container: DependencyContainer): void;
}

/** Options of an Api that a case can choose. */
export type ServiceOptions = Omit<Partial<ApiOptions>, 'storage' | 'clock' | 'onError' | 'container'>;

export type { Fixture, ParsedResponse, SendOptions };

/** A service for one case: an Api with a new storage and a clock that only the case advances. */
export interface Service {
  readonly api: Api;
  readonly clock: ManualClock;
  /** The access tokens of the fixture, by the email of their user. */
  readonly tokens: Readonly<Record<string, string>>;
  /** The agent tokens of the fixture, by cluster. */
  readonly agentTokens: Readonly<Record<string, string>>;
  /** Sends a request. Throws if the response violates a rule for all responses. */
  send(method: string, target: string, options?: SendOptions): Promise<ParsedResponse>;
  close(): Promise<void>;
}

/** Creates a service with the records of a fixture. Requests use the token of the first user by default. */
export async function createService(
  harness: ServiceHarness,
  fixture: Fixture,
  { ids = seededIds(seed), ...options }: ServiceOptions = {},
): Promise<Service> {
  const clock = manualClock();
  const storage = await harness.storage();
  const errors: unknown[] = [];
  const container = createContainer();
  container.register(parts.storage, { useValue: storage });
  container.register(parts.clock, { useValue: clock });
  container.register(parts.ids, { useValue: ids });
  container.register(parts.onError, { useValue: (error) => errors.push(error) });
  harness.swapParts?.(container);
  const { apiFactory = createApi } = harness;
  const api = apiFactory({ baseUrl: 'https://api.ci.test', webUrl: 'https://ci.test', ...options, container });
  await api.prepare();
  const loaded = await api.load(fixture);
  const tokens = Object.fromEntries(loaded.access_tokens.map(({ user, token }) => [user, token]));
  const wire = harness.wire ? await harness.wire(api) : inProcess(api);
  return {
    api,
    clock,
    tokens,
    agentTokens: Object.fromEntries(loaded.agent_tokens.map(({ cluster, token }) => [cluster, token])),
    async send(method, target, { token = Object.values(tokens)[0] ?? null, fault, ...options } = {}) {
      const request = buildRequest(method, target, { ...options, token });
      const response = await wire.send(request);
      const violations = [
        ...(await responseViolations(request, response, fault)),
        ...((await harness.validateResponse?.(request, response)) ?? []),
      ];
      if (violations.length > 0) {
        const cause = errors.length > 0 ? errors.at(-1) : undefined;
        throw new Error(`${method} ${target} answered ${response.status}: ${violations.join('; ')}`, { cause });
      }
      return parseBody(response);
    },
    async close() {
      await wire.close();
      await api.close();
      await storage.close();
    },
  };
}

/** Runs a function with a new service and closes the service afterwards. */
export async function withService<T>(
  harness: ServiceHarness,
  fixture: Fixture,
  run: (service: Service) => Promise<T>,
  options: ServiceOptions = {},
): Promise<T> {
  const service = await createService(harness, fixture, options);
  try {
    return await run(service);
  } finally {
    await service.close();
  }
}
