import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Operation } from '../../../core/contract/operation.js';
import { type ResolverName, resolvers } from '../../../core/contract/resolvers.js';
import type { Case } from '../../case.js';
import { trying } from '../../settings.js';
import { type Example, examplesIn, fill, placeholdersOf } from '../examples.js';
import { recordsOf } from '../records.js';
import { type Answer, type Service, type ServiceHarness, withService } from '../service.js';
import { organizationFixture } from '../world.js';

/** A request in the making; faults spoil it. */
interface Draft {
  method: string;
  places: Record<string, string>;
  path: string;
  query: string;
  user: string;
  scoped: boolean;
  authorization: 'good' | 'bad';
  body: string | undefined;
}

interface Fault {
  readonly name: string;
  applies(operation: Operation): boolean;
  spoil(draft: Draft, operation: Operation): void;
  /** How the answer starts: status and message. */
  wanted(operation: Operation): readonly [number, RegExp];
}

const has = (operation: Operation, place: string) => placeholdersOf(operation.path).includes(place);

/** States that refuse an operation, by its id. */
const states: Readonly<Record<string, { spoil: (draft: Draft) => void; status: number; message: RegExp }>> = {
  'builds.cancel': {
    spoil: (draft) => (draft.places.build = '2'),
    status: 422,
    message: /^Build can't be canceled/,
  },
  'builds.create': {
    spoil(draft) {
      draft.places.pipeline = 'deploy';
      if (draft.body?.startsWith('{"commit"')) draft.body = '{"commit":"c","branch":"topic"}';
    },
    status: 422,
    message: /^The branch topic is excluded/,
  },
  'agents.stop': {
    spoil: (draft) => (draft.places.agent = draft.places.disconnected ?? ''),
    status: 400,
    message: /^Can only stop connected agents$/,
  },
  'clusters.delete': {
    spoil: (draft) => (draft.places.cluster = draft.places.busyCluster ?? ''),
    status: 422,
    message: /^Cluster can't be deleted while agents are connected to it$/,
  },
  'queues.pauseDispatch': {
    spoil: (draft) => (draft.places.queue = draft.places.halted ?? ''),
    status: 422,
    message: /^Cluster queue is already paused$/,
  },
  'queues.resumeDispatch': {
    spoil: (draft) => (draft.places.queue = draft.places.rest ?? ''),
    status: 422,
    message: /^Cluster queue is not paused$/,
  },
  'teams.create': {
    spoil(draft) {
      if (draft.body?.startsWith('{"name"')) draft.body = draft.body.replace('New team', 'TEAM of acme');
    },
    status: 422,
    message: /^Validation failed: Name has already been taken$/,
  },
};

const last = (operation: Operation) => placeholdersOf(operation.path).at(-1) as ResolverName;

/** Everything that can be wrong, in the order in which it is told (decisions 1, decisions 12). */
const faults: readonly Fault[] = [
  {
    name: 'route',
    applies: () => true,
    spoil: (draft) => (draft.path = `/nowhere${draft.path}`),
    wanted: () => [404, /^No route matches/],
  },
  {
    name: 'authentication',
    applies: () => true,
    spoil: (draft) => (draft.authorization = 'bad'),
    wanted: () => [401, /^Authentication required/],
  },
  {
    name: 'scope',
    applies: (operation) => operation.scope !== null,
    spoil: (draft) => (draft.scoped = false),
    wanted: (operation) => [403, new RegExp(`the ${operation.scope} scope$`)],
  },
  {
    name: 'organization',
    applies: (operation) => has(operation, 'organization'),
    spoil: (draft) => (draft.places.organization = 'nobody'),
    wanted: () => [404, /^No organization found$/],
  },
  {
    name: 'right',
    applies: (operation) => operation.form === 'command' && operation.right !== undefined,
    spoil: (draft) => (draft.user = 'member@acme.test'),
    wanted: () => [403, /^Forbidden$/],
  },
  {
    name: 'resource',
    applies: (operation) => placeholdersOf(operation.path).length > 1,
    spoil: (draft, operation) => (draft.places[last(operation)] = 'nothing'),
    wanted: (operation) => [404, new RegExp(`^No ${resolvers[last(operation)].what} found$`)],
  },
  {
    name: 'query',
    applies: () => true,
    spoil: (draft, operation) => (draft.query = operation.form === 'list' ? '?page=x' : '?x=%zz'),
    wanted: (operation) => [400, operation.form === 'list' ? /^page must be/ : /malformed escape/],
  },
  {
    name: 'body',
    applies: (operation) => operation.form === 'command',
    spoil: (draft) => (draft.body = '[]'),
    wanted: () => [400, /must be a JSON object/],
  },
  {
    name: 'state',
    applies: (operation) => operation.id in states,
    spoil: (draft, operation) => states[operation.id]?.spoil(draft),
    wanted: ({ id }) => [states[id]?.status ?? 0, states[id]?.message ?? /^$/],
  },
];

/** Sends an example with these faults; the `state` fault goes first, so that it cannot undo another one. */
async function sendSpoilt(
  service: Service,
  example: Example,
  chosen: readonly Fault[],
  tokens: Readonly<Record<string, string>>,
): Promise<Answer> {
  const { operation, places, body } = example;
  const draft: Draft = {
    method: operation.method,
    places: { ...places },
    path: operation.path,
    query: '',
    user: 'admin@acme.test',
    scoped: true,
    authorization: 'good',
    body: body && JSON.stringify(body),
  };
  for (const fault of chosen.toReversed()) fault.spoil(draft, operation);
  const token = draft.authorization === 'bad' ? 'nonsense' : (tokens[`${draft.user} ${draft.scoped}`] ?? null);
  const options = draft.body === undefined ? { token } : { token, body: draft.body };
  return service.send(draft.method, fill(draft.path, draft.places) + draft.query, options);
}

async function tokensFor(service: Service): Promise<Record<string, string>> {
  const tokens: Record<string, string> = {};
  for (const user of ['admin@acme.test', 'member@acme.test']) {
    tokens[`${user} true`] = service.tokens[user] ?? '';
    tokens[`${user} false`] = (await service.api.host.accessTokens.issue({ user, scopes: [] })).token;
  }
  return tokens;
}

const order: Case<ServiceHarness> = {
  id: 'requests.order-of-checks',
  cites: 'decisions 1, decisions 12',
  run: (harness) =>
    withService(harness, organizationFixture('acme'), async (service) => {
      const gone = service.api.host.agents.connect({
        token: service.agentTokens['acme cluster'] ?? '',
        name: 'gone',
        hostname: 'gone',
        ip_address: '10.0.0.1',
        version: '1',
      });
      const disconnected = (await service.api.host.agents.disconnect({ agent: (await gone).id })).id;
      const [main, spare] = (await recordsOf(service, 'acme')).clusters;
      const [busyCluster, rest, halted] = [main.id, spare.queues[0].id, spare.queues[1].id];
      const examples = (await examplesIn(service))
        .filter(({ operation }) => operation.form !== 'public')
        .map((example) => ({ ...example, places: { ...example.places, disconnected, busyCluster, halted, rest } }));
      const tokens = await tokensFor(service);
      const before = await service.api.events.read(0, 10_000);
      const byId = new Map(examples.map((example) => [example.operation.id, example]));
      const spoilt = fc.constantFrom(...byId.keys()).chain((id) => {
        const possible = faults.filter((fault) => fault.applies((byId.get(id) as Example).operation));
        return fc.record({
          id: fc.constant(id),
          wrong: fc.subarray(
            possible.map(({ name }) => name),
            { minLength: 1 },
          ),
        });
      });
      await fc.assert(
        fc.asyncProperty(spoilt, async ({ id, wrong }) => {
          const example = byId.get(id) as Example;
          const chosen = faults.filter(({ name }) => wrong.includes(name));
          const { status, body } = await sendSpoilt(service, example, chosen, tokens);
          const [first] = chosen;
          const [wanted, message] = first?.wanted(example.operation) ?? [0, /^$/];
          assert.equal(status, wanted, `${id} with ${wrong.join(', ')}: ${JSON.stringify(body)}`);
          assert.match(body.message, message, `${id} with ${wrong.join(', ')}`);
        }),
        trying(400),
      );
      assert.deepEqual(await service.api.events.read(0, 10_000), before, 'what is refused changes nothing');
    }),
};

export const orderOfChecks: readonly Case<ServiceHarness>[] = [order];
