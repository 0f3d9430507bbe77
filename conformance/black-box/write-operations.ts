import assert from 'node:assert/strict';
import type { RenderedRecord } from './read-operations.js';
import type { RunningService } from './running-service.js';

/** The path of the organization. */
export const organizationPath = ({ organization }: RunningService): string =>
  `/v2/organizations/${encodeURIComponent(organization)}`;

/** Creates a record below a path, and deletes it after the case. */
export async function createRecord(service: RunningService, path: string, body: object): Promise<RenderedRecord> {
  const response = await service.send('POST', path, { body });
  if (response.status === 201) service.deleteLater(`${path}/${response.body.id}`);
  assert.equal(response.status, 201, `POST ${path}: ${response.text}`);
  return response.body;
}

export const createCluster = (service: RunningService, body: object = {}): Promise<RenderedRecord> =>
  createRecord(service, `${organizationPath(service)}/clusters`, { name: service.uniqueName(), ...body });

export const createTeam = (service: RunningService, body: object = {}): Promise<RenderedRecord> =>
  createRecord(service, `${organizationPath(service)}/teams`, {
    name: service.uniqueName(),
    description: '',
    privacy: 'visible',
    // New members of the organization would join a default team, and its deletion would not undo that.
    is_default_team: false,
    default_member_role: 'member',
    members_can_create_pipelines: false,
    ...body,
  });

/** Sends invalid bodies, each with the message that the service must answer with a 422. */
export async function expectRejected(
  service: RunningService,
  method: string,
  path: string,
  invalidBodies: readonly (readonly [body: unknown, message: string])[],
): Promise<void> {
  for (const [body, message] of invalidBodies) {
    const response = await service.send(method, path, { body });
    if (method === 'POST' && response.status === 201) service.deleteLater(`${path}/${response.body.id}`);
    const what = `${method} ${path} ${JSON.stringify(body).slice(0, 100)}`;
    assert.deepEqual([response.status, response.body], [422, { message }], what);
  }
}

/** Updates a record in steps, and checks that each step changes the named fields and no others. */
export async function expectUpdates(
  service: RunningService,
  path: string,
  first: RenderedRecord,
  steps: readonly (readonly [method: string, body: object])[],
): Promise<void> {
  let expected = first;
  for (const [method, body] of steps) {
    const response = await service.send(method, path, { body });
    expected = { ...expected, ...body };
    assert.deepEqual([response.status, response.body], [200, expected], `${method} ${JSON.stringify(body)}`);
    assert.deepEqual((await service.send('GET', path)).body, expected, `after ${method} ${JSON.stringify(body)}`);
  }
}

/** Deletes a record, and checks that later requests for it answer 404. */
export async function expectDeleted(service: RunningService, path: string, what: string): Promise<void> {
  const { status, text } = await service.send('DELETE', path);
  assert.deepEqual([status, text], [204, ''], `DELETE ${path}`);
  for (const method of ['GET', 'DELETE']) {
    const gone = await service.send(method, path);
    assert.deepEqual(
      [gone.status, gone.body],
      [404, { message: `No ${what} found` }],
      `${method} ${path} after the deletion`,
    );
  }
}

/** The ids of all pages of a list. */
export async function listIds(service: RunningService, path: string, perPage = 100): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page += 1) {
    const { status, body, headers } = await service.send('GET', `${path}?per_page=${perPage}&page=${page}`);
    assert.equal(status, 200, path);
    ids.push(...body.map(({ id }: RenderedRecord) => id));
    if (!/rel="next"/.test(headers.link ?? '')) return ids;
  }
}
