/** The clauses of the specification, a summary of each, and the cases that test it. A trailing `*` matches any ending. */
export type ClauseCoverage = readonly [clause: string, says: string, ...cases: readonly string[]];

/** Spec 1, 8 and 9: rules for all requests. */
const general: readonly ClauseCoverage[] = [
  ['1.1, 8.1', 'Bodies are JSON; other encodings are refused', 'requests.refused-bodies', 'requests.taken-bodies'],
  ['1.4', 'No body counts as an empty object', 'requests.empty-bodies', 'requests.body-limit'],
  ['1.5', 'Parameters stand in the URL, arrays in brackets', 'requests.array-notations', 'requests.booleans'],
  ['1.6', 'The root, open to everybody', 'requests.root'],
  ['1.7', 'CORS headers on every answer', 'requests.options', 'requests.head', 'requests.request-id'],
  ['8.2', 'Pages have a default and a largest size', 'pages.links', 'pages.sizes'],
  ['8.4', 'Commits are found by full SHAs only', 'builds.filters'],
  ['9', 'Nothing of the first version is left', 'requests.no-route'],
];

/** Spec 2. In addition, the coverage test checks that the responses of all cases contain every field. */
const resources: readonly ClauseCoverage[] = [
  ['2.2', 'Agents and their fields', 'agents.get', 'agents.list'],
  ['2.3', 'Jobs: executions, retries, times', 'builds.automatic-retries', 'builds.soft-fails', 'builds.job-timeouts'],
  [
    '2.3',
    'Only one agent runs a job',
    'agents.accept-at-once',
    'agents.accept-at-once-what-is-scarce',
    'builds.many-job-timeouts',
  ],
  ['2.4', 'Numbers are unique in a pipeline and increase', 'builds.numbers-at-once'],
  ['2.4.2', 'Retried jobs are included only on request', 'builds.include-retried-jobs'],
  ['2.4.3', 'A blocked build keeps its last state', 'builds.block-and-unblock'],
  [
    '2.5',
    'Newer builds of a branch replace older ones',
    'builds.newer-replaces-older',
    'builds.newer-replaces-older-on-filtered-branches',
    'builds.skip-queued-at-once',
  ],
  [
    '2.5, 5.6',
    'Only users who may edit the pipeline see its webhook URL',
    'builds.webhook-url',
    'team-pipelines.webhook-follows-access',
  ],
  [
    '2.6',
    'The default queue: null at first, used by agents that name no queue',
    'clusters.default-queue',
    'queues.default-queue-serves-agents-that-name-none',
    'queues.delete-while-it-becomes-the-default',
    'builds.jobs-find-their-queue',
  ],
  ['2.8', 'An agent token is shown only when it is created', 'agent-tokens.shown-once'],
  [
    '2.8',
    'IP addresses from which an agent token connects',
    'agent-tokens.admit-by-address',
    'agents.connect-from-allowed-addresses',
  ],
  ['2.9', 'Secret teams', 'teams.secret-for-members-and-admins'],
  ['2.9', 'Users join default teams', 'teams.new-members-join-default-teams', 'teams.delete-while-a-user-joins'],
  ['2.10', 'Access levels of suites', 'team-suites.access-levels'],
  ['2.12', 'The definition of a flaky test', 'flaky-tests.shown'],
];

/** Spec 3: states and transitions. */
const transitions: readonly ClauseCoverage[] = [
  ['3.1', 'Builds, jobs and agents against a model', 'models.*'],
  [
    '3.1',
    'Cancel: scheduled, running, failing become canceled',
    'builds.cancel',
    'builds.cancel-gracefully',
    'builds.cancel-at-once',
    'builds.cancel-while-jobs-end',
  ],
  ['3.1', 'Cancel: builds in other states are refused and unchanged', 'builds.cancel-refusals'],
  ['3.1', 'Create: a new build is scheduled', 'builds.create', 'builds.last-jobs-end-at-once', 'builds.not-run'],
  ['3.1', 'Rebuild: from any state, a new number', 'builds.rebuild', 'builds.rebuild-in-any-state'],
  [
    '3.2',
    'Stop: a connected agent; with force its job and build are canceled',
    'agents.stop-idle',
    'agents.stop-with-force',
    'agents.stop-without-force',
    'agents.stop-at-once',
  ],
  ['3.2, 7', 'Stop: an agent that is not connected', 'agents.stop-unconnected', 'agents.lost-without-a-sign-of-life'],
  [
    '3.3, 7',
    'Pause and resume: fields set and cleared, and both refusals',
    'queues.pause-and-resume',
    'queues.pause-twice',
    'queues.resume-twice',
  ],
  [
    '3.3',
    'Agents get no job of a paused queue',
    'queues.paused-hands-out-no-job',
    'queues.pause-while-a-job-is-accepted',
  ],
  [
    '3.4',
    'Deleting a cluster deletes its queues and tokens',
    'clusters.delete-takes-all-with-it',
    'clusters.delete-while-*',
  ],
  ['3', 'Every change has one event, in order', 'events.*'],
];

/** Spec 4: endpoints. */
const requests: readonly ClauseCoverage[] = [
  [
    '4',
    'Every endpoint at its path, with or without a trailing slash',
    'requests.trailing-slash',
    'requests.reads',
    'requests.accessToken.*',
    'requests.agents.*',
    'requests.builds.*',
    'requests.clusters.*',
    'requests.queues.*',
    'requests.agentTokens.*',
    'requests.teams.*',
    'requests.teamSuites.*',
    'requests.teamPipelines.*',
    'requests.wrong-method',
    'requests.malformed-path',
    'requests.path-decoded-once',
  ],
  ['4', 'Exactly the scope of its row', 'auth.exactly-the-scope'],
  ['4.1', 'Agents: filters; who may stop one', 'agents.list', 'agents.stop-rights', 'agents.stop-wrong-type'],
  ['4.2', 'Filters of builds', 'builds.filters', 'builds.filters-find-any-text', 'requests.malformed-parameters'],
  ['4.2', 'All builds of the organizations that a token may use', 'auth.token-limited-to-organizations'],
  [
    '4.2',
    'The body of a new build',
    'builds.create-with-everything',
    'builds.create-keeps-texts',
    'builds.create-ignores-other-properties',
  ],
  [
    '4.2',
    'Branch filters of pipelines and steps',
    'builds.branch-filters',
    'builds.branches-disabled',
    'builds.step-branch-filters',
  ],
  ['4', 'Concurrent requests are all served, and no change is lost', '*many-at-once', 'teams.many-users-join-at-once'],
  ['4.3', 'Clusters: create, update', 'clusters.create', 'clusters.update', 'clusters.change-two-fields-at-once'],
  [
    '4.3',
    'Names of clusters are unique, for concurrent requests too',
    'clusters.create-the-same-name-twice',
    'clusters.rename-two-to-the-same-name',
  ],
  ['4.4', 'Queues: create, update', 'queues.create', 'queues.update', 'queues.create-the-same-key-twice'],
  [
    '4.4',
    'Agent tokens: revoked tokens connect no agent',
    'agent-tokens.revoked-connect-nobody',
    'agent-tokens.revoke-while-an-agent-connects',
  ],
  [
    '4.5',
    'Teams: create, update, delete',
    'teams.create',
    'teams.update',
    'teams.slug-follows-renames-only',
    'teams.delete',
    'teams.create-the-same-slug-twice',
  ],
  ['4.5', 'Teams of a user', 'teams.of-a-user'],
  [
    '4.5',
    'Deleting a team deletes all records that belong to it',
    'teams.delete-while-a-suite-is-added',
    'teams.delete-while-a-pipeline-is-added',
  ],
  ['4.6', 'Team suites: all paths of creation', 'team-suites.create-under-all-paths', 'team-suites.add-the-same-twice'],
  [
    '4.7',
    'Team pipelines: create; delete with and without an identifier',
    'team-pipelines.create',
    'team-pipelines.delete-by-path-query-or-body',
    'team-pipelines.add-the-same-twice',
  ],
  [
    '4.8',
    'Flaky tests: search, branch, order',
    'flaky-tests.search',
    'flaky-tests.on-a-branch',
    'flaky-tests.most-recent-first',
    'flaky-tests.of-a-suite',
  ],
  ['4.9', 'Links of pages; pages together are the whole', 'pages.links', 'pages.concatenate-to-the-whole'],
  ['4.9.3', 'Team suites come unpaged', 'team-suites.unpaged-unless-asked'],
];

/** Spec 5: authentication and tenancy. */
const access: readonly ClauseCoverage[] = [
  ['5.1, 5.3', 'Only bearer tokens authenticate', 'auth.same-401-for-all', 'auth.bearer'],
  ['5.2', 'Other organizations appear not to exist', 'auth.other-organizations-do-not-exist', 'tenants.*'],
  ['5.2', 'A token can be revoked through the API', 'access-token.*'],
  ['5.5', 'Stopping needs an admin', 'agents.stop-rights'],
  [
    '5.7',
    'Agent tokens connect agents and are not access tokens',
    'agents.connect-with-agent-tokens-only',
    'auth.same-401-for-all',
    'agent-tokens.shown-once',
  ],
];

/** Spec 7: errors. */
const errors: readonly ClauseCoverage[] = [
  ['7', 'Create a build: errors by field, or a reason', 'builds.create-refusals', 'builds.branch-filters'],
  ['7', 'Cancel a build', 'builds.cancel-refusals'],
  ['7', 'Create or update a cluster', 'clusters.validation', 'clusters.default-queue'],
  ['7', 'Create or update a queue', 'queues.validation'],
  ['7', 'Create or update an agent token', 'agent-tokens.validation'],
  ['7', 'Create or update a team', 'teams.validation'],
  ['7', 'Create or update a team suite', 'team-suites.validation'],
  ['7', 'Create or update a team pipeline', 'team-pipelines.validation'],
  ['7', 'Delete a cluster', 'clusters.delete-refused-while-agents-are-connected'],
  ['7', 'Delete a queue', 'queues.delete-refusals-in-order', 'queues.delete-while-*'],
  ['7', 'Delete a team pipeline', 'team-pipelines.delete-by-path-query-or-body'],
  [
    '7',
    'Deleting a deleted record',
    'clusters.delete-twice',
    'queues.delete-twice',
    'agent-tokens.delete-twice',
    'teams.delete-twice',
    'team-suites.delete-twice',
    'team-pipelines.delete-twice',
  ],
  [
    '7',
    'Errors are JSON, in the order of the checks',
    'requests.order-of-checks',
    'requests.malformed-escape-*',
    'requests.never-500',
    'faults.*',
  ],
  ['7', 'Undocumented properties are ignored', 'assignment.*'],
];

/** All clauses of the specification and the cases that test them. */
export const clauseCoverage: readonly ClauseCoverage[] = [
  ...general,
  ...resources,
  ...transitions,
  ...requests,
  ...access,
  ...errors,
];

/** Whether a pattern matches a case id. */
export function matchesPattern(pattern: string, id: string): boolean {
  const [head = '', tail] = pattern.split('*');
  return tail === undefined ? id === pattern : id.startsWith(head) && id.endsWith(tail);
}
