import assert from 'node:assert/strict';
import { type Operation, operations, type Schema } from '../../api/index.js';
import type { Case } from '../../case.js';
import { commandSequence, exampleRequests, targetOf } from '../example-requests.js';
import { organizationFixture } from '../fixture.js';
import { fetchRecords } from '../records.js';
import { type Service, type ServiceHarness, withService } from '../service.js';

/** Columns that no response shows but that a careless update might write. */
const hiddenFields: readonly string[] = [
  'version',
  'organization_id',
  'organization',
  'cluster_id',
  'cluster',
  'queue_id',
  'team_id',
  'pipeline_id',
  'suite_id',
  'build_id',
  'user_id',
  'created_by_id',
  'creator_id',
  'dispatch_paused_by_id',
  'dispatch',
  'digest',
  'token',
  'audience',
  'slug',
  'role',
  'key',
  'number',
  'state',
  'jobs',
  'members',
  'constructor',
  'toString',
];

const foreign = '0190a000-0000-7000-8000-00000000beef';

/** A value that no record has, of the type of the field. */
function foreignValue(field: string, schema: Schema | undefined): unknown {
  const types = [schema?.type].flat();
  if (types.includes('boolean')) return true;
  if (types.includes('integer')) return 987_654;
  if (types.includes('array')) return [foreign];
  if (types.includes('object')) return { id: foreign, name: 'Mallory', email: 'mallory@rivals.test' };
  if (schema?.format === 'date-time') return '2001-01-01T00:00:00.000Z';
  if (field === 'version' || field === 'number') return 987_654;
  return foreign;
}

/** All fields of the responses of all operations, with their schemas. */
const renderedFields: ReadonlyMap<string, Schema> = new Map(
  operations.flatMap((operation) => {
    const schema = operation.form === 'list' ? operation.reply?.items : operation.reply;
    return Object.entries((schema?.properties ?? {}) as Record<string, Schema>);
  }),
);

const isCommand = (operation: Operation): boolean => operation.form === 'command';

/** Undocumented properties for the body of an operation: all response fields and hidden columns. */
function undocumented(operation: Operation): readonly (readonly [field: string, value: unknown])[] {
  const documented = Object.keys(operation.body?.properties ?? {});
  const fields = new Set([...renderedFields.keys(), ...hiddenFields]);
  return [...fields]
    .filter((field) => !documented.includes(field))
    .map((field) => [field, foreignValue(field, renderedFields.get(field))]);
}

/** Undocumented properties to send with each command, by its id. */
type ExtraProperties = (operation: Operation) => readonly (readonly [field: string, value: unknown])[];

/** What came of all commands, one after the other: their answers, and all that there was to be seen at each stop. */
interface Outcome {
  readonly replies: Readonly<Record<string, readonly [status: number, text: string]>>;
  readonly states: readonly unknown[];
}

/** Carries out all commands on one service. `looksAfter` says after which of them everything is looked at. */
const runCommands = (
  harness: ServiceHarness,
  extra: ExtraProperties,
  looksAfter: (operation: Operation, next: Operation | undefined) => boolean,
): Promise<Outcome> =>
  withService(harness, organizationFixture('acme'), async (service) => {
    const replies: Record<string, readonly [number, string]> = {};
    const states: unknown[] = [];
    const examples = commandSequence(await exampleRequests(service));
    for (const [index, example] of examples.entries()) {
      const { operation } = example;
      if (!isCommand(operation)) continue;
      const body = { ...Object.fromEntries(extra(operation)), ...example.body };
      const response = await service.send(operation.method, targetOf(example), { body });
      assert.equal(response.status, operation.success, `${operation.id} ${response.text}`);
      replies[operation.id] = [response.status, response.text];
      // The last command revokes the token: nothing can be looked at then.
      const next = examples[index + 1]?.operation;
      if (next !== undefined && looksAfter(operation, next)) states.push(await fetchState(service));
    }
    return { replies, states };
  });

const fetchState = async (service: Service) => [
  await fetchRecords(service, 'acme'),
  (await service.send('GET', '/v2/user')).body,
  (await service.send('GET', '/v2/access-token')).body,
];

/** Before anything is deleted, and before the token is revoked. */
const beforeDeletions = ({ method }: Operation, next: Operation | undefined): boolean =>
  (method !== 'DELETE' && next?.method === 'DELETE') || next?.id === 'accessToken.revoke';

/** The properties that an operation's answer shows and its body does not document: the likeliest to be written by mistake. */
const replied: ExtraProperties = (operation) =>
  undocumented(operation).filter(([field]) => Object.hasOwn((operation.reply?.properties ?? {}) as object, field));

const mostReplied = Math.max(...operations.filter(isCommand).map((operation) => replied(operation).length));

/** The same seed makes the same ids: bodies with more in them have to come to the same, byte by byte. */
const allAtOnce: Case<ServiceHarness> = {
  id: 'assignment.all-at-once',
  cites: 'decisions 1',
  async run(harness) {
    const plain = await runCommands(
      harness,
      () => [],
      () => true,
    );
    assert.deepEqual(await runCommands(harness, undocumented, () => true), plain);
  },
};

/** Each round sends one property with each command, the next one in every round: properties cannot hide each other. */
const oneByOne: Case<ServiceHarness> = {
  id: 'assignment.one-by-one',
  cites: 'decisions 1',
  async run(harness) {
    const plain = await runCommands(harness, () => [], beforeDeletions);
    for (let round = 0; round < mostReplied; round += 1) {
      const one: ExtraProperties = (operation) => replied(operation).slice(round, round + 1);
      const sent = operations.filter(isCommand).map((operation) => `${operation.id} ${one(operation)[0]?.[0] ?? '-'}`);
      assert.deepEqual(await runCommands(harness, one, beforeDeletions), plain, sent.join(', '));
    }
  },
};

export const massAssignment: readonly Case<ServiceHarness>[] = [allAtOnce, oneByOne];
