import { insert, merge, reference, remove, replace } from '../contract/batch.js';
import { command, list, read } from '../contract/operation.js';
import { isUuid, textParameter } from '../contract/parameters.js';
import { invalid, notFound } from '../contract/refusal.js';
import { choice, nullable, open, optional, text } from '../contract/schema.js';
import { pipelineAccess, presentTeamPipeline, TeamPipeline } from '../representations/team.js';

const path = '/v2/organizations/{organization}/teams/{team}/pipelines';
const one = `${path}/{teamPipeline}` as const;

const listPipelines = list({
  id: 'teamPipelines.list',
  summary: "List a team's pipelines",
  method: 'GET',
  path,
  scope: 'view_teams',
  of: TeamPipeline,
  source: 'teamPipeline.ofTeams',
  where: ({ at }) => ({ teams: [at.team.id] }),
  present: (rows, { at, links }) => rows.map((row) => presentTeamPipeline(row, at.organization.slug, links)),
});

const get = read({
  id: 'teamPipelines.get',
  summary: "Get a team's pipeline",
  method: 'GET',
  path: one,
  scope: 'view_teams',
  reply: TeamPipeline,
  run: ({ at, links }) => presentTeamPipeline(at.teamPipeline, at.organization.slug, links),
});

const create = command({
  id: 'teamPipelines.create',
  summary: 'Add a pipeline to a team',
  method: 'POST',
  path,
  scope: 'write_teams',
  status: 201,
  body: open({
    pipeline_id: text({ description: 'Id of a pipeline of the organization' }),
    access_level: choice(pipelineAccess),
  }),
  reply: TeamPipeline,
  refusals: { 422: 'The body is not valid, or the pipeline is in the team already' },
  command: {
    async load({ at, input, reader }) {
      const id = input.pipeline_id;
      const [pipeline] = isUuid(id) ? await reader.load('pipeline.bySlug', [id.toLowerCase()]) : [];
      if (pipeline?.organization_id !== at.organization.id) return invalid('Pipeline must exist');
      return { team: at.team, pipeline };
    },
    ids: () => 1,
    duplicates: { 'teamPipeline.pipeline': invalid('Pipeline has already been added to this team') },
    decide({ team, pipeline }, { input, now, ids: [id = ''] }) {
      const association = {
        id,
        version: 1,
        organization_id: team.organization_id,
        team_id: team.id,
        pipeline_id: pipeline.id,
        access_level: input.access_level,
        created_at: now,
      };
      // The team's version is raised: whoever is deleting the team has to look at its pipelines again.
      return {
        batch: merge({ touch: [reference('team', team)], insert: [insert('teamPipeline', association)] }),
        reply: { ...association, pipeline },
      };
    },
  },
  present: (association, { at, links }) => presentTeamPipeline(association, at.organization.slug, links),
});

const update = command({
  id: 'teamPipelines.update',
  summary: "Change a team's access to a pipeline",
  method: 'PATCH',
  alsoMethods: ['PUT'],
  path: one,
  scope: 'write_teams',
  status: 200,
  body: open({ access_level: choice(pipelineAccess) }),
  reply: TeamPipeline,
  refusals: { 422: 'The body is not valid' },
  command: {
    load: async ({ at }) => at.teamPipeline,
    decide: (association, { input }) => ({
      batch: merge({ replace: [replace('teamPipeline', association, { access_level: input.access_level })] }),
      reply: { ...association, access_level: input.access_level },
    }),
  },
  present: (association, { at, links }) => presentTeamPipeline(association, at.organization.slug, links),
});

/** Spec 4.7 writes the path without an identifier; clients send one. Both work, and nothing is deleted by guessing (decisions 9). */
const destroy = command({
  id: 'teamPipelines.delete',
  summary: 'Remove a pipeline from a team',
  description: 'Without an id in the path, `pipeline_id` in the query or the body names the pipeline.',
  method: 'DELETE',
  path: one,
  alsoPaths: [path],
  scope: 'write_teams',
  status: 204,
  query: { pipeline_id: textParameter('Id of the pipeline, where the path names none') },
  body: open({ pipeline_id: optional(nullable(text())) }),
  refusals: { 422: 'No pipeline is named' },
  command: {
    async load({ at, query, input, reader }) {
      if (at.teamPipeline !== undefined) return at.teamPipeline;
      const id = (query.pipeline_id as string | undefined) ?? input.pipeline_id ?? '';
      if (id === '') return invalid("Pipeline can't be blank");
      const args = { teams: [at.team.id], pipeline: id.toLowerCase() };
      const [association] = isUuid(id) ? await reader.select('teamPipeline.ofTeams', args, 1) : [];
      return association ?? notFound('team pipeline');
    },
    decide: (association) => ({ batch: merge({ remove: [remove('teamPipeline', association)] }), reply: null }),
  },
});

/** Team pipelines (spec 4.7). */
export const teamPipelines = [listPipelines, get, create, update, destroy];
