import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Operation, type PathParameter, pathParameters, placeholdersOf } from '../../api/index.js';
import type { Case } from '../../case.js';
import { propertyParameters } from '../../property-settings.js';
import { type ExampleRequest, exampleRequests, fillPath } from '../example-requests.js';
import { organizationFixture } from '../fixture.js';
import { fetchRecords } from '../records.js';
import { type ParsedResponse, type Service, type ServiceHarness, withService } from '../service.js';

/** A request that faults change before it is sent. */
interface RequestDraft {
  method: string;
  pathParams: Record<string, string>;
  path: string;
  query: string;
  user: string;
  scoped: boolean;
  authorization: 'good' | 'bad';
  body: string | undefined;
}

interface RequestFault {
  readonly name: string;
  applies(operation: Operation): boolean;
  apply(draft: RequestDraft, operation: Operation): void;
  /** The expected status and message. */
  expected(operation: Operation): readonly [number, RegExp];
}

const hasPlaceholder = (operation: Operation, placeholder: PathParameter) =>
  placeholdersOf(operation.path).includes(placeholder);

/** For each operation id, a change to the records so that their state refuses the operation. */
const stateFaults: Readonly<Record<string, { spoil: (draft: RequestDraft) => void; status: number; message: RegExp }>> =
  {
    'builds.cancel': {
      spoil: (draft) => (draft.pathParams.build = '2'),
      status: 422,
      message: /^Build can't be canceled/,
    },
    'builds.create': {
      spoil(draft) {
        draft.pathParams.pipeline = 'deploy';
        if (draft.body?.startsWith('{"commit"')) draft.body = '{"commit":"c","branch":"topic"}';
      },
      status: 422,
      message: /^The branch topic is excluded/,
    },
    'agents.stop': {
      spoil: (draft) => (draft.pathParams.agent = draft.pathParams.disconnected ?? ''),
      status: 400,
      message: /^Can only stop connected agents$/,
    },
    'clusters.delete': {
      spoil: (draft) => (draft.pathParams.cluster = draft.pathParams.busyCluster ?? ''),
      status: 422,
      message: /^Cluster can't be deleted while agents are connected to it$/,
    },
    'queues.pauseDispatch': {
      spoil: (draft) => (draft.pathParams.queue = draft.pathParams.halted ?? ''),
      status: 422,
      message: /^Cluster queue is already paused$/,
    },
    'queues.resumeDispatch': {
      spoil: (draft) => (draft.pathParams.queue = draft.pathParams.rest ?? ''),
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

const lastPlaceholder = (operation: Operation) => placeholdersOf(operation.path).at(-1) as PathParameter;

/** All faults of requests, in the order in which they are reported (decisions 1, decisions 12). */
const faults: readonly RequestFault[] = [
  {
    name: 'route',
    applies: () => true,
    apply: (draft) => (draft.path = `/nowhere${draft.path}`),
    expected: () => [404, /^No route matches/],
  },
  {
    name: 'authentication',
    applies: () => true,
    apply: (draft) => (draft.authorization = 'bad'),
    expected: () => [401, /^Authentication required/],
  },
  {
    name: 'scope',
    applies: (operation) => operation.scope !== null,
    apply: (draft) => (draft.scoped = false),
    expected: (operation) => [403, new RegExp(`the ${operation.scope} scope$`)],
  },
  {
    name: 'organization',
    applies: (operation) => hasPlaceholder(operation, 'organization'),
    apply: (draft) => (draft.pathParams.organization = 'nobody'),
    expected: () => [404, /^No organization found$/],
  },
  {
    name: 'right',
    applies: (operation) => operation.form === 'command' && operation.right !== undefined,
    apply: (draft) => (draft.user = 'member@acme.test'),
    expected: () => [403, /^Forbidden$/],
  },
  {
    name: 'resource',
    applies: (operation) => placeholdersOf(operation.path).length > 1,
    apply: (draft, operation) => (draft.pathParams[lastPlaceholder(operation)] = 'nothing'),
    expected: (operation) => [404, new RegExp(`^No ${pathParameters[lastPlaceholder(operation)]} found$`)],
  },
  {
    name: 'query',
    applies: () => true,
    apply: (draft, operation) => (draft.query = operation.form === 'list' ? '?page=x' : '?x=%zz'),
    expected: (operation) => [400, operation.form === 'list' ? /^page must be/ : /malformed escape/],
  },
  {
    name: 'body',
    applies: (operation) => operation.form === 'command',
    apply: (draft) => (draft.body = '[]'),
    expected: () => [400, /must be a JSON object/],
  },
  {
    name: 'state',
    applies: (operation) => operation.id in stateFaults,
    apply: (draft, operation) => stateFaults[operation.id]?.spoil(draft),
    expected: ({ id }) => [stateFaults[id]?.status ?? 0, stateFaults[id]?.message ?? /^$/],
  },
];

/** Sends an example with these faults. The `state` fault is applied first, because it replaces parts that others change. */
async function sendWithFaults(
  service: Service,
  example: ExampleRequest,
  chosen: readonly RequestFault[],
  tokens: Readonly<Record<string, string>>,
): Promise<ParsedResponse> {
  const { operation, pathParams, body } = example;
  const draft: RequestDraft = {
    method: operation.method,
    pathParams: { ...pathParams },
    path: operation.path,
    query: '',
    user: 'admin@acme.test',
    scoped: true,
    authorization: 'good',
    body: body && JSON.stringify(body),
  };
  for (const fault of chosen.toReversed()) fault.apply(draft, operation);
  const token = draft.authorization === 'bad' ? 'nonsense' : (tokens[`${draft.user} ${draft.scoped}`] ?? null);
  const options = draft.body === undefined ? { token } : { token, body: draft.body };
  return service.send(draft.method, fillPath(draft.path, draft.pathParams) + draft.query, options);
}

async function tokensFor(service: Service): Promise<Record<string, string>> {
  const tokens: Record<string, string> = {};
  for (const user of ['admin@acme.test', 'member@acme.test']) {
    tokens[`${user} true`] = service.tokens[user] ?? '';
    tokens[`${user} false`] = (await service.api.runtime.accessTokens.issue({ user, scopes: [] })).token;
  }
  return tokens;
}

const order: Case<ServiceHarness> = {
  id: 'requests.order-of-checks',
  cites: 'decisions 1, decisions 12',
  run: (harness) =>
    withService(harness, organizationFixture('acme'), async (service) => {
      const gone = service.api.runtime.agents.connect({
        token: service.agentTokens['acme cluster'] ?? '',
        name: 'gone',
        hostname: 'gone',
        ip_address: '10.0.0.1',
        version: '1',
      });
      const disconnected = (await service.api.runtime.agents.disconnect({ agent: (await gone).id })).id;
      const [main, spare] = (await fetchRecords(service, 'acme')).clusters;
      const [busyCluster, rest, halted] = [main.id, spare.queues[0].id, spare.queues[1].id];
      const examples = (await exampleRequests(service))
        .filter(({ operation }) => operation.form !== 'public')
        .map((example) => ({
          ...example,
          pathParams: { ...example.pathParams, disconnected, busyCluster, halted, rest },
        }));
      const tokens = await tokensFor(service);
      const before = await service.api.events.read(0, 10_000);
      const byId = new Map(examples.map((example) => [example.operation.id, example]));
      const spoilt = fc.constantFrom(...byId.keys()).chain((id) => {
        const possible = faults.filter((fault) => fault.applies((byId.get(id) as ExampleRequest).operation));
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
          const example = byId.get(id) as ExampleRequest;
          const chosen = faults.filter(({ name }) => wrong.includes(name));
          const { status, body } = await sendWithFaults(service, example, chosen, tokens);
          const [first] = chosen;
          const [wanted, message] = first?.expected(example.operation) ?? [0, /^$/];
          assert.equal(status, wanted, `${id} with ${wrong.join(', ')}: ${JSON.stringify(body)}`);
          assert.match(body.message, message, `${id} with ${wrong.join(', ')}`);
        }),
        propertyParameters(400),
      );
      assert.deepEqual(await service.api.events.read(0, 10_000), before, 'refused requests change nothing');
    }),
};

export const orderOfChecks: readonly Case<ServiceHarness>[] = [order];
