import assert from 'node:assert/strict';
import type { CommandOperation, Operation } from '../../../core/operations/contract/operation.js';
import { operations } from '../../../core/operations/index.js';
import type { Schema } from '../../../core/schema/schema.js';
import type { Case } from '../../case.js';
import { exampleBodies, examplePathParams } from '../example-values.js';
import { organizationFixture } from '../fixture.js';
import { fetchRecords, type OrganizationRecords } from '../records.js';
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
    const schema = operation.form === 'list' ? operation.item : operation.reply;
    return Object.entries((schema?.properties ?? {}) as Record<string, Schema>);
  }),
);

const isCommand = (operation: Operation): operation is CommandOperation => operation.form === 'command';

/** Undocumented properties for the body of an operation: all response fields and hidden columns. */
function undocumented(operation: CommandOperation): readonly (readonly [field: string, value: unknown])[] {
  const documented = Object.keys((operation.body?.properties ?? {}) as object);
  const fields = new Set([...renderedFields.keys(), ...hiddenFields]);
  return [...fields]
    .filter((field) => !documented.includes(field))
    .map((field) => [field, foreignValue(field, renderedFields.get(field))]);
}

/** The outcome of an operation: its response, and all records afterwards. */
async function responseAndState(harness: ServiceHarness, operation: CommandOperation, extra: object): Promise<unknown> {
  return withService(harness, organizationFixture('acme'), async (service) => {
    const before = await fetchRecords(service, 'acme');
    const { target, body } = requestFor(operation, before);
    const response = await service.send(operation.method, target, { body: { ...extra, ...body } });
    assert.ok(response.status < 300, `${operation.id} ${response.text}`);
    // accessToken.revoke deletes the token that would read the records.
    const after = operation.id === 'accessToken.revoke' ? null : await fetchState(service);
    return [response.status, response.text, after];
  });
}

const fetchState = async (service: Service) => [
  await fetchRecords(service, 'acme'),
  (await service.send('GET', '/v2/user')).body,
  (await service.send('GET', '/v2/access-token')).body,
];

function requestFor(operation: CommandOperation, records: OrganizationRecords) {
  const pathParams = examplePathParams(operation.id, records);
  const target = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => pathParams[name] ?? name);
  return { target, body: exampleBodies(records)[operation.id] };
}

/** The same seed generates the same ids, so a body with surplus properties must have the same outcome, byte by byte. */
export const massAssignment: readonly Case<ServiceHarness>[] = operations.filter(isCommand).map((operation) => ({
  id: `assignment.${operation.id}`,
  cites: 'decisions 1',
  async run(harness) {
    const fields = undocumented(operation);
    const plain = await responseAndState(harness, operation, {});
    assert.deepEqual(await responseAndState(harness, operation, Object.fromEntries(fields)), plain, 'all of them');
    for (const [field, value] of fields.filter(
      ([field]) => renderedFields.has(field) && operation.reply?.properties !== undefined,
    )) {
      if (!Object.hasOwn(operation.reply?.properties as object, field)) continue;
      assert.deepEqual(await responseAndState(harness, operation, { [field]: value }), plain, field);
    }
  },
}));
