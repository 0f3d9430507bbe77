import {
  alreadyTaken,
  type ModelCommand,
  onTeam,
  type PlanCommand,
  pick,
  type RandomValues,
  slug,
  without,
} from './model-command.js';
import type { Team } from './organization-model.js';

const teams: Readonly<Record<string, PlanCommand>> = {
  createTeam: (organization, { name, text, flag }) => {
    const chosen = { name, description: text ?? '', privacy: flag ? 'secret' : 'visible' };
    const rest = { is_default_team: flag, default_member_role: 'member', members_can_create_pipelines: flag };
    return {
      method: 'POST',
      path: '/teams',
      body: { ...chosen, ...rest },
      expectedError: organization.teams.some((one) => one.slug === slug(name)) ? alreadyTaken('Name') : undefined,
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
      expectedError: clashes ? alreadyTaken('Name') : undefined,
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

const suiteInTeam = (team: Team, suite_id: string) => {
  const known = team.suites.find((one) => one.suite_id === suite_id);
  return { known, missing: known ? undefined : ([404, 'No team suite found'] as const) };
};

const suites: Readonly<Record<string, PlanCommand>> = {
  addSuite: onTeam((team, path, organization, { second, flag }) => {
    const suite_id = pick(organization.suites, second) ?? '';
    const { known } = suiteInTeam(team, suite_id);
    return {
      method: 'POST',
      path: `${path}/suite`,
      body: { suite_id, access_level: flag ? ['edit', 'read'] : 'read' },
      expectedError: known ? [422, 'Validation failed: Suite has already been added to this team'] : undefined,
      apply: () => void team.suites.push({ suite_id, access_level: flag ? ['read', 'edit'] : ['read'] }),
    };
  }),
  changeSuite: onTeam((team, path, organization, { second }) => {
    const suite_id = pick(organization.suites, second) ?? '';
    const { known, missing } = suiteInTeam(team, suite_id);
    return {
      method: 'PATCH',
      path: `${path}/suites/${suite_id}`,
      body: { access_level: ['edit'] },
      expectedError: missing,
      apply: () => void Object.assign(known ?? {}, { access_level: ['edit'] }),
    };
  }),
  removeSuite: onTeam((team, path, organization, { second }) => {
    const suite_id = pick(organization.suites, second) ?? '';
    const { known, missing } = suiteInTeam(team, suite_id);
    const left = team.suites.filter((one) => one !== known);
    return {
      method: 'DELETE',
      path: `${path}/suites/${suite_id}/`,
      expectedError: missing,
      apply: () => void Object.assign(team, { suites: left }),
    };
  }),
};

/** Where a request to remove a pipeline from a team can have the id of the pipeline (decisions 9). */
function removal(
  base: string,
  pipeline_id: string,
  { first, flag }: RandomValues,
): Pick<ModelCommand, 'method' | 'path' | 'body'> {
  if (flag) return { method: 'DELETE', path: `${base}/${pipeline_id}` };
  if (first % 2 === 0) return { method: 'DELETE', path: `${base}/?pipeline_id=${pipeline_id}` };
  return { method: 'DELETE', path: base, body: { pipeline_id } };
}

const pipelineInTeam = (team: Team, pipeline_id: string) => {
  const known = team.pipelines.find((one) => one.pipeline_id === pipeline_id);
  return { known, missing: known ? undefined : ([404, 'No team pipeline found'] as const) };
};

const pipelines: Readonly<Record<string, PlanCommand>> = {
  addPipeline: onTeam((team, path, organization, { second, flag }) => {
    const pipeline_id = pick(organization.pipelines, second) ?? '';
    const access_level = flag ? 'read_only' : 'manage_build_and_read';
    const { known } = pipelineInTeam(team, pipeline_id);
    return {
      method: 'POST',
      path: `${path}/pipelines`,
      body: { pipeline_id, access_level },
      expectedError: known ? [422, 'Validation failed: Pipeline has already been added to this team'] : undefined,
      apply: () => void team.pipelines.push({ pipeline_id, access_level }),
    };
  }),
  changePipeline: onTeam((team, path, organization, { second }) => {
    const pipeline_id = pick(organization.pipelines, second) ?? '';
    const { known, missing } = pipelineInTeam(team, pipeline_id);
    return {
      method: 'PUT',
      path: `${path}/pipelines/${pipeline_id}`,
      body: { access_level: 'build_and_read' },
      expectedError: missing,
      apply: () => void Object.assign(known ?? {}, { access_level: 'build_and_read' }),
    };
  }),
  removePipeline: onTeam((team, path, organization, values) => {
    const pipeline_id = pick(organization.pipelines, values.second) ?? '';
    const { known, missing } = pipelineInTeam(team, pipeline_id);
    const left = team.pipelines.filter((one) => one !== known);
    return {
      ...removal(`${path}/pipelines`, pipeline_id, values),
      expectedError: missing,
      apply: () => void Object.assign(team, { pipelines: left }),
    };
  }),
};

/** The commands on teams, their suites and their pipelines. */
export const teamCommands: Readonly<Record<string, PlanCommand>> = { ...teams, ...suites, ...pipelines };
