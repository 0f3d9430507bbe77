/** What a client needs to know of a service that is ready; null is what it does not have. */
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

/** For people: where it is, the token, and three requests to paste. */
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
    `All of the API: ${ready.url}/docs`,
    'Ctrl-C ends it.',
    '',
  ].join('\n');
}

/** Requests as lines for a shell, quoted such that nothing in them means anything to it. */
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
