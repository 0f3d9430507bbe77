import type { OrganizationRecords } from './records.js';

/** Valid bodies by operation id. Operations that are not listed need no body. */
export function exampleBodies({
  clusters: [, spare],
  teams: [, other],
}: OrganizationRecords): Readonly<Record<string, object>> {
  const team = {
    name: 'New team',
    description: 'About',
    privacy: 'visible',
    is_default_team: false,
    default_member_role: 'member',
    members_can_create_pipelines: false,
  };
  return {
    'builds.create': { commit: 'HEAD', branch: 'main' },
    'clusters.create': { name: 'New cluster' },
    // Not the queue that `queues.delete` deletes: a default queue cannot be deleted.
    'clusters.update': { description: 'Changed', default_queue_id: spare.queues[1].id },
    'queues.create': { key: 'new' },
    'queues.update': { description: 'Changed' },
    'queues.pauseDispatch': { note: 'Why' },
    'agentTokens.create': { description: 'New token' },
    'agentTokens.update': { description: 'Changed' },
    'teams.create': team,
    'teams.update': { description: 'Changed' },
    'teamSuites.create': { suite_id: other.suites[0].suite_id, access_level: ['read'] },
    'teamSuites.update': { access_level: ['edit'] },
    'teamPipelines.create': { pipeline_id: other.pipelines[0].pipeline_id, access_level: 'read_only' },
    'teamPipelines.update': { access_level: 'build_and_read' },
  };
}

/** Values of the path placeholders with which an operation succeeds. */
export function examplePathParams(id: string, records: OrganizationRecords): Readonly<Record<string, string>> {
  const [main, spare] = records.clusters;
  const [team] = records.teams;
  // The first cluster has an agent, so it cannot be deleted.
  const cluster = id.startsWith('agents.') || id.startsWith('builds.') ? main : spare;
  return {
    organization: records.organization,
    pipeline: 'web',
    build: '1',
    agent: records.agents[0].id,
    cluster: cluster.id,
    queue: cluster.queues[id === 'queues.resumeDispatch' ? 1 : 0].id,
    agentToken: cluster.tokens[0].id,
    team: team.id,
    teamSuite: team.suites[0].suite_id,
    teamPipeline: team.pipelines[0].pipeline_id,
    suite: `${records.organization}-suite`,
  };
}
