/** The path parameters and how the message of a 404 names them: `No cluster queue found` (decisions 2). */
export const pathParameters = {
  organization: 'organization',
  pipeline: 'pipeline',
  build: 'build',
  agent: 'agent',
  cluster: 'cluster',
  queue: 'cluster queue',
  agentToken: 'cluster token',
  team: 'team',
  teamSuite: 'team suite',
  teamPipeline: 'team pipeline',
  suite: 'suite',
} as const;

export type PathParameter = keyof typeof pathParameters;
