import assert from 'node:assert/strict';
import type { RenderedRecord } from './read-operations.js';
import type { RunningService } from './running-service.js';

/** The path of the organization. */
export const organizationPath = ({ organization }: RunningService): string =>
  `/v2/organizations/${encodeURIComponent(organization)}`;

/** Makes a record below a path, which is deleted again when the case is over. */
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
    // A team that new members of the organization join would not be gone without a trace.
    is_default_team: false,
    default_member_role: 'member',
    members_can_create_pipelines: false,
    ...body,
  });

/** Sends bodies that are refused in these words, and sees that the record stays what it was. */
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

/** Changes a record in steps, and sees that each changes what it names and nothing else. */
export async function expectUpdates(
  service: RunningService,
  path: string,
  first: RenderedRecord,
  steps: readonly (readonly [method: string, body: object])[],
): Promise<void> {
  let known = first;
  for (const [method, body] of steps) {
    const response = await service.send(method, path, { body });
    known = { ...known, ...body };
    assert.deepEqual([response.status, response.body], [200, known], `${method} ${JSON.stringify(body)}`);
    assert.deepEqual((await service.send('GET', path)).body, known, `after ${method} ${JSON.stringify(body)}`);
  }
}

/** Deletes a record, and sees that it is gone for good. */
export async function expectDeleted(service: RunningService, path: string, what: string): Promise<void> {
  const { status, text } = await service.send('DELETE', path);
  assert.deepEqual([status, text], [204, ''], `DELETE ${path}`);
  for (const method of ['GET', 'DELETE']) {
    const gone = await service.send(method, path);
    assert.deepEqual([gone.status, gone.body], [404, { message: `No ${what} found` }], `${method} ${path} once more`);
  }
}

/** The ids of a list, all pages of it. */
export async function listIds(service: RunningService, path: string, perPage = 100): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page += 1) {
    const { status, body, headers } = await service.send('GET', `${path}?per_page=${perPage}&page=${page}`);
    assert.equal(status, 200, path);
    ids.push(...body.map(({ id }: RenderedRecord) => id));
    if (!/rel="next"/.test(headers.link ?? '')) return ids;
  }
}
