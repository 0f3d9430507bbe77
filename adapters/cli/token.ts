import { type Scope, scopes } from '../../core/index.js';
import { command } from './command.js';
import { storageOption } from './storage.js';
import { UsageError } from './usage-error.js';
import { withApi } from './with-api.js';

export const issueCommand = command(
  {
    name: 'token issue',
    summary: 'Issues an access token for a user and prints it. The token cannot be shown again.',
    operands: [],
    options: {
      storage: storageOption,
      organization: { type: 'string', value: 'SLUG', help: 'The organization that the token can access' },
      user: { type: 'string', value: 'EMAIL', help: 'The user of the token' },
      scopes: { type: 'string', value: 'A,B', help: `Comma-separated scopes; default: all of\n${scopes.join('\n')}` },
      description: { type: 'string', value: 'TEXT', help: 'Description of the token' },
      expires: { type: 'string', value: 'TIME', help: 'ISO 8601 date or date-time; default: never' },
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
    const { token } = await withApi(storage, (api) => api.runtime.accessTokens.issue(tokenRequest));
    process.stdout.write(`${token}\n`);
  },
);

export const revokeCommand = command(
  {
    name: 'token revoke',
    summary: 'Revokes an access token by its text or id.',
    operands: ['TOKEN_OR_ID'],
    options: { storage: storageOption },
  },
  async ({ storage }, [token = '']) => {
    const { id } = await withApi(storage, (api) => api.runtime.accessTokens.revoke({ token }));
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
