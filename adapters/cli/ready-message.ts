/** What a client needs to use the service. A field is null if the fixture has no such record. */
export interface Ready {
  readonly url: string;
  readonly token: string;
  readonly organization: string;
  readonly pipeline: string | null;
  readonly suite: string | null;
  readonly suite_id: string | null;
  readonly team_id: string | null;
}

export const readyJson = (ready: Ready): string => `${JSON.stringify(ready)}\n`;

/** The message for users: the address, the token and three example requests. */
export function readyMessage(ready: Ready, storageLabel: string): string {
  return [
    '',
    `Millrace serves ${ready.organization} at ${ready.url} (${storageLabel}).`,
    '',
    `  Token  ${ready.token}`,
    '',
    'Try it:',
    '',
    ...exampleRequests(ready).map((line) => `  ${line}`),
    '',
    `API reference: ${ready.url}/docs`,
    'Press Ctrl-C to stop.',
    '',
  ].join('\n');
}

/** The example requests as shell commands, with quoted arguments. */
export function exampleRequests({ url, token, organization, pipeline }: Ready): string[] {
  const curl = `curl -sS -H ${shellQuote(`Authorization: Bearer ${token}`)}`;
  const apiUrl = (path: string) => shellQuote(`${url}/v2/organizations/${organization}${path}`);
  if (pipeline === null)
    return [`${curl} ${apiUrl('/builds')}`, `${curl} ${apiUrl('/agents')}`, `${curl} ${apiUrl('/clusters')}`];
  const builds = `/pipelines/${pipeline}/builds`;
  const body = JSON.stringify({ commit: 'HEAD', branch: 'main', message: 'Hello, Millrace' });
  return [
    `${curl} ${apiUrl('/builds?state=failed&per_page=2')}`,
    `${curl} -H 'Content-Type: application/json' -d ${shellQuote(body)} ${apiUrl(builds)}`,
    `${curl} ${apiUrl(`${builds}?per_page=1`)}`,
  ];
}

const shellQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
