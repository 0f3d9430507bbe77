import { type Api, createApi, Refusal, type Scope, type Storage, scopes } from '../../core/index.js';
import { command } from './command.js';
import { Complaint } from './complaint.js';
import { complaining, isThere, nameOf, placeOf, storageAt, storageOption } from './storage.js';

export const issueCommand = command(
  {
    name: 'token issue',
    summary: 'Issues an access token of a user, and prints it: the only time that it can be seen.',
    operands: [],
    options: {
      storage: storageOption,
      organization: { type: 'string', value: 'SLUG', help: 'The organization that the token is for' },
      user: { type: 'string', value: 'EMAIL', help: 'Whose token it is' },
      scopes: { type: 'string', value: 'A,B', help: `All if absent, or some of:\n${scopes.join('\n')}` },
      description: { type: 'string', value: 'TEXT', help: 'What it is for' },
      expires: { type: 'string', value: 'TIME', help: 'ISO 8601 date or date-time; never if absent' },
    },
  },
  async ({ storage, organization, user, scopes: some, description, expires }) => {
    const wanted = {
      user: user ?? required('user'),
      organizations: [organization ?? required('organization')],
      scopes: scopesOf(some),
      description: description ?? 'Issued on the command line',
      expires_at: expires ?? null,
    };
    const { token } = await withApi(storage, (api) => api.host.accessTokens.issue(wanted));
    process.stdout.write(`${token}\n`);
  },
);

export const revokeCommand = command(
  {
    name: 'token revoke',
    summary: 'Revokes an access token, by its text or its id. It is dead at once.',
    operands: ['TOKEN_OR_ID'],
    options: { storage: storageOption },
  },
  async ({ storage }, [token = '']) => {
    const { id } = await withApi(storage, (api) => api.host.accessTokens.revoke({ token }));
    process.stderr.write(`Revoked ${id}\n`);
  },
);

function required(option: string): never {
  throw new Complaint(`Option --${option} is missing`);
}

function scopesOf(text: string | undefined): readonly Scope[] {
  if (text === undefined) return scopes;
  return text.split(',').map((name) => {
    const scope = scopes.find((known) => known === name.trim());
    if (scope === undefined)
      throw new Complaint(`Unknown scope ${JSON.stringify(name)}; see millrace token issue --help`);
    return scope;
  });
}

/** Works on a storage that is there already, and closes it. What is refused is a complaint. */
async function withApi<T>(where: string | undefined, work: (api: Api) => Promise<T>): Promise<T> {
  const place = placeOf(where);
  if (place.kind === 'memory')
    throw new Complaint('What is in memory can only be reached by the process that serves it');
  if (!isThere(place)) throw new Complaint(`There is no database ${nameOf(place)}`);
  const storage: Storage = await storageAt(place);
  const api = createApi({ storage });
  try {
    return await complaining(async () => {
      await api.prepare();
      return work(api);
    });
  } catch (error) {
    if (error instanceof Refusal) throw new Complaint(error.message);
    throw error;
  } finally {
    await api.close();
  }
}
