import { at, type Draw, type Move, onTeam, type Plan, slug, taken, without } from './move.js';
import type { Team } from './organization.js';

const teams: Readonly<Record<string, Plan>> = {
  createTeam: (organization, { name, text, flag }) => {
    const chosen = { name, description: text ?? '', privacy: flag ? 'secret' : 'visible' };
    const rest = { is_default_team: flag, default_member_role: 'member', members_can_create_pipelines: flag };
    return {
      method: 'POST',
      path: '/teams',
      body: { ...chosen, ...rest },
      refused: organization.teams.some((one) => one.slug === slug(name)) ? taken('Name') : undefined,
      apply({ id }) {
        organization.teams.push({ id, ...chosen, slug: slug(name), default: flag, suites: [], pipelines: [] });
      },
    };
  },
  renameTeam: onTeam((team, path, organization, { name, flag }) => {
    const clashes = organization.teams.some((one) => one !== team && one.slug === slug(name));
    const privacy = flag ? 'secret' : 'visible';
    return {
      method: 'PATCH',
      path,
      body: { name, privacy },
      refused: clashes ? taken('Name') : undefined,
      apply: () => void Object.assign(team, { name, privacy, slug: slug(name) }),
    };
  }),
  describeTeam: onTeam((team, path, _, { text, flag }) => ({
    method: 'PUT',
    path,
    body: { description: text ?? '', is_default_team: flag },
    apply: () => void Object.assign(team, { description: text ?? '', default: flag }),
  })),
  deleteTeam: onTeam((team, path, organization) => ({
    method: 'DELETE',
    path,
    apply: () => void Object.assign(organization, { teams: without(organization.teams, team) }),
  })),
};

const suiteMove = (team: Team, suite_id: string) => {
  const known = team.suites.find((one) => one.suite_id === suite_id);
  return { known, missing: known ? undefined : ([404, 'No team suite found'] as const) };
};

const suites: Readonly<Record<string, Plan>> = {
  addSuite: onTeam((team, path, organization, { second, flag }) => {
    const suite_id = at(organization.suites, second) ?? '';
    const { known } = suiteMove(team, suite_id);
    return {
      method: 'POST',
      path: `${path}/suite`,
      body: { suite_id, access_level: flag ? ['edit', 'read'] : 'read' },
      refused: known ? [422, 'Validation failed: Suite has already been added to this team'] : undefined,
      apply: () => void team.suites.push({ suite_id, access_level: flag ? ['read', 'edit'] : ['read'] }),
    };
  }),
  changeSuite: onTeam((team, path, organization, { second }) => {
    const suite_id = at(organization.suites, second) ?? '';
    const { known, missing } = suiteMove(team, suite_id);
    return {
      method: 'PATCH',
      path: `${path}/suites/${suite_id}`,
      body: { access_level: ['edit'] },
      refused: missing,
      apply: () => void Object.assign(known ?? {}, { access_level: ['edit'] }),
    };
  }),
  removeSuite: onTeam((team, path, organization, { second }) => {
    const suite_id = at(organization.suites, second) ?? '';
    const { known, missing } = suiteMove(team, suite_id);
    const left = team.suites.filter((one) => one !== known);
    return {
      method: 'DELETE',
      path: `${path}/suites/${suite_id}/`,
      refused: missing,
      apply: () => void Object.assign(team, { suites: left }),
    };
  }),
};

/** Where the id of a pipeline can stand when it is taken out of a team (decisions 9). */
function removal(base: string, pipeline_id: string, { first, flag }: Draw): Pick<Move, 'method' | 'path' | 'body'> {
  if (flag) return { method: 'DELETE', path: `${base}/${pipeline_id}` };
  if (first % 2 === 0) return { method: 'DELETE', path: `${base}/?pipeline_id=${pipeline_id}` };
  return { method: 'DELETE', path: base, body: { pipeline_id } };
}

const pipelineMove = (team: Team, pipeline_id: string) => {
  const known = team.pipelines.find((one) => one.pipeline_id === pipeline_id);
  return { known, missing: known ? undefined : ([404, 'No team pipeline found'] as const) };
};

const pipelines: Readonly<Record<string, Plan>> = {
  addPipeline: onTeam((team, path, organization, { second, flag }) => {
    const pipeline_id = at(organization.pipelines, second) ?? '';
    const access_level = flag ? 'read_only' : 'manage_build_and_read';
    const { known } = pipelineMove(team, pipeline_id);
    return {
      method: 'POST',
      path: `${path}/pipelines`,
      body: { pipeline_id, access_level },
      refused: known ? [422, 'Validation failed: Pipeline has already been added to this team'] : undefined,
      apply: () => void team.pipelines.push({ pipeline_id, access_level }),
    };
  }),
  changePipeline: onTeam((team, path, organization, { second }) => {
    const pipeline_id = at(organization.pipelines, second) ?? '';
    const { known, missing } = pipelineMove(team, pipeline_id);
    return {
      method: 'PUT',
      path: `${path}/pipelines/${pipeline_id}`,
      body: { access_level: 'build_and_read' },
      refused: missing,
      apply: () => void Object.assign(known ?? {}, { access_level: 'build_and_read' }),
    };
  }),
  removePipeline: onTeam((team, path, organization, draw) => {
    const pipeline_id = at(organization.pipelines, draw.second) ?? '';
    const { known, missing } = pipelineMove(team, pipeline_id);
    const left = team.pipelines.filter((one) => one !== known);
    return {
      ...removal(`${path}/pipelines`, pipeline_id, draw),
      refused: missing,
      apply: () => void Object.assign(team, { pipelines: left }),
    };
  }),
};

/** What can be done to teams, and to what they have access to. */
export const teamMoves: Readonly<Record<string, Plan>> = { ...teams, ...suites, ...pipelines };
