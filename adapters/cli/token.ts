import { type Scope, scopes } from '../../core/index.js';
import { command } from './command.js';
import { storageOption } from './storage.js';
import { UsageError } from './usage-error.js';
import { withApi } from './with-api.js';

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
  async ({ storage, organization, user, scopes: scopeList, description, expires }) => {
    const tokenRequest = {
      user: user ?? missingOption('user'),
      organizations: [organization ?? missingOption('organization')],
      scopes: parseScopes(scopeList),
      description: description ?? 'Issued on the command line',
      expires_at: expires ?? null,
    };
    const { token } = await withApi(storage, (api) => api.host.accessTokens.issue(tokenRequest));
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

function missingOption(option: string): never {
  throw new UsageError(`Option --${option} is missing`);
}

function parseScopes(text: string | undefined): readonly Scope[] {
  if (text === undefined) return scopes;
  return text.split(',').map((name) => {
    const scope = scopes.find((known) => known === name.trim());
    if (scope === undefined)
      throw new UsageError(`Unknown scope ${JSON.stringify(name)}; see millrace token issue --help`);
    return scope;
  });
}
