import { readFileSync, writeFileSync } from 'node:fs';
import test from 'ava';
import { agentErrors } from './catalogue/agents.js';
import { bodyErrors } from './catalogue/bodies.js';
import { buildErrors } from './catalogue/builds.js';
import { clusterErrors } from './catalogue/clusters.js';
import { queryErrors } from './catalogue/queries.js';
import { recordErrors } from './catalogue/records.js';
import { requestErrors } from './catalogue/requests.js';
import { serviceErrors } from './catalogue/service.js';
import { teamErrors } from './catalogue/teams.js';
import { catalogue, type ErrorEntry } from './index.js';

const sections: readonly (readonly [title: string, Readonly<Record<string, ErrorEntry>>])[] = [
  ['Requests', requestErrors],
  ['Query parameters', queryErrors],
  ['Bodies and input', bodyErrors],
  ['Records that do not exist', recordErrors],
  ['Builds and jobs', buildErrors],
  ['Agents and tokens', agentErrors],
  ['Clusters and queues', clusterErrors],
  ['Teams', teamErrors],
  ['The service', serviceErrors],
];

function rowOf({ code, status, message, headers, when, whatToDo }: ErrorEntry): string {
  const names = Object.keys(headers ?? {}).map((name) => `\`${name}\``);
  const sent = names.length > 0 ? ` Sent with the header ${names.join(', ')}.` : '';
  const text = message.replace(/\{(\w+)\}/g, '*$1*');
  return `| \`${code}\` | ${status} | ${text} | ${when}${sent} | ${whatToDo} |`;
}

const tableOf = (entries: Readonly<Record<string, ErrorEntry>>): string =>
  [
    '| Code | Status | Message | When | What to do |',
    '|---|---|---|---|---|',
    ...Object.values(entries).map(rowOf),
  ].join('\n');

const page = (): string => `# Errors

Every error of the API is a [Boom](https://hapi.dev/module/boom/) with a stable code in its \`data\`. This page lists them all.
It is made from the catalogue in \`core/errors/catalogue\`; a test fails when it is out of date. To make it anew:
\`MILLRACE_WRITE=1 npm test -- dist/core/errors/errors-page.test.js\`.

## For clients

A client gets the status and \`{"message": "…"}\`; errors in the body of a new build are told by field as well, in \`errors\`. The
code is not part of the response: the body is the one of the API's specification. Statuses and messages do not change; words in
*italics* stand for values.

## For embedders

The calls of \`api.runtime\` throw these errors. The code tells them apart without a look at the text:

\`\`\`ts
import { isApiError } from 'millrace';

try {
  await api.runtime.jobs.accept({ agent });
} catch (error) {
  if (!isApiError(error, 'agent.busy')) throw error;
}
\`\`\`

\`error.data.code\` is the code, \`error.output.statusCode\` the status, \`error.output.headers\` the headers. A code keeps its
meaning; new ones may be added. While the database is away, the calls of \`api.runtime\` reject with the \`StorageUnavailable\` of the
storage, and \`onError\` is given the cause of every response with 500 or 503.

${sections.map(([title, entries]) => `## ${title}\n\n${tableOf(entries)}`).join('\n\n')}
`;

const path = 'docs/errors.md';

test('docs/errors.md shows the catalogue as it is', (t) => {
  if (process.env.MILLRACE_WRITE) writeFileSync(path, page());
  t.is(readFileSync(path, 'utf8'), page(), 'make it anew with MILLRACE_WRITE=1');
});

test('every error of the catalogue is in a section', (t) => {
  t.deepEqual(Object.assign({}, ...sections.map(([, entries]) => entries)), catalogue);
});
