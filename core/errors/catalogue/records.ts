import type { ErrorEntry } from './entry.js';

const whatToDo = 'Compare the identifier with the list of such records.';

/** Records that do not exist, or that the caller may not know of (decisions 2). */
export const recordErrors = {
  organizationNotFound: {
    code: 'organization.not_found',
    status: 404,
    message: 'No organization found',
    when: 'No organization has this slug, or the user or the access token has no access to it.',
    whatToDo: 'Check the slug, the membership of the user, and the organizations of the access token.',
  },
  pipelineNotFound: {
    code: 'pipeline.not_found',
    status: 404,
    message: 'No pipeline found',
    when: 'The organization has no pipeline with this slug.',
    whatToDo,
  },
  buildNotFound: {
    code: 'build.not_found',
    status: 404,
    message: 'No build found',
    when: 'The pipeline has no build with this number.',
    whatToDo,
  },
  jobNotFound: {
    code: 'job.not_found',
    status: 404,
    message: 'No job found',
    when: 'No job has this id.',
    whatToDo,
  },
  agentNotFound: {
    code: 'agent.not_found',
    status: 404,
    message: 'No agent found',
    when: 'The organization, or the cluster of the agent token, has no agent with this id.',
    whatToDo,
  },
  clusterNotFound: {
    code: 'cluster.not_found',
    status: 404,
    message: 'No cluster found',
    when: 'The organization has no cluster with this id.',
    whatToDo,
  },
  queueNotFound: {
    code: 'queue.not_found',
    status: 404,
    message: 'No cluster queue found',
    when: 'The cluster has no queue with this id, or with the key that an agent names in its tags.',
    whatToDo,
  },
  agentTokenNotFound: {
    code: 'agent_token.not_found',
    status: 404,
    message: 'No cluster token found',
    when: 'The cluster has no agent token with this id.',
    whatToDo,
  },
  teamNotFound: {
    code: 'team.not_found',
    status: 404,
    message: 'No team found',
    when: 'The organization has no team with this id, or the team is secret and the user is not a member of it.',
    whatToDo,
  },
  teamSuiteNotFound: {
    code: 'team_suite.not_found',
    status: 404,
    message: 'No team suite found',
    when: 'The suite is not associated with the team.',
    whatToDo,
  },
  teamPipelineNotFound: {
    code: 'team_pipeline.not_found',
    status: 404,
    message: 'No team pipeline found',
    when: 'The pipeline is not associated with the team.',
    whatToDo,
  },
  suiteNotFound: {
    code: 'suite.not_found',
    status: 404,
    message: 'No suite found',
    when: 'The organization has no test suite with this slug.',
    whatToDo,
  },
  testNotFound: {
    code: 'test.not_found',
    status: 404,
    message: 'No test found',
    when: 'No test has this id.',
    whatToDo,
  },
  userNotFound: {
    code: 'user.not_found',
    status: 404,
    message: 'No user found',
    when: 'No user has this email address.',
    whatToDo,
  },
  accessTokenNotFound: {
    code: 'access_token.not_found',
    status: 404,
    message: 'No access token found',
    when: 'No access token has this id or this text.',
    whatToDo,
  },
} as const satisfies Record<string, ErrorEntry>;
