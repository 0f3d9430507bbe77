import { insert, merge, reference, remove, replace } from '../commands/batch.js';
import { errors } from '../errors/index.js';
import { stringParameter } from '../http/parameters.js';
import { pipelineAccess, renderTeamPipeline, TeamPipeline } from '../representations/team.js';
import { enumeration, looseObject, nullable, optional, string } from '../schema/schema.js';
import { isUuid } from '../schema/uuid.js';
import { command, list, read } from './contract/operation.js';

const path = '/v2/organizations/{organization}/teams/{team}/pipelines';
const itemPath = `${path}/{teamPipeline}` as const;

const listPipelines = list({
  id: 'teamPipelines.list',
  summary: "List a team's pipelines",
  method: 'GET',
  path,
  scope: 'view_teams',
  item: TeamPipeline,
  source: 'teamPipeline.ofTeams',
  where: ({ records }) => ({ teams: [records.team.id] }),
  render: (rows, { records, links }) => rows.map((row) => renderTeamPipeline(row, records.organization.slug, links)),
});

const get = read({
  id: 'teamPipelines.get',
  summary: "Get a team's pipeline",
  method: 'GET',
  path: itemPath,
  scope: 'view_teams',
  reply: TeamPipeline,
  run: ({ records, links }) => renderTeamPipeline(records.teamPipeline, records.organization.slug, links),
});

const create = command({
  id: 'teamPipelines.create',
  summary: 'Add a pipeline to a team',
  method: 'POST',
  path,
  scope: 'write_teams',
  status: 201,
  body: looseObject({
    pipeline_id: string({ description: 'Id of a pipeline of the organization' }),
    access_level: enumeration(pipelineAccess),
  }),
  reply: TeamPipeline,
  errors: ['team_pipeline.unknown_pipeline', 'team_pipeline.already_added'],
  command: {
    async load({ records, input, reader }) {
      const id = input.pipeline_id;
      const [pipeline] = isUuid(id) ? await reader.load('pipeline.bySlug', [id.toLowerCase()]) : [];
      if (pipeline?.organization_id !== records.organization.id) return errors.teamPipelineUnknown();
      return { team: records.team, pipeline };
    },
    ids: () => 1,
    duplicates: { 'teamPipeline.pipeline': errors.teamPipelineTaken },
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
      // Touches the team: deleting it at the same time then conflicts, and loads its pipelines again.
      return {
        batch: merge({ touch: [reference('team', team)], insert: [insert('teamPipeline', association)] }),
        reply: { ...association, pipeline },
      };
    },
  },
  render: (association, { records, links }) => renderTeamPipeline(association, records.organization.slug, links),
});

const update = command({
  id: 'teamPipelines.update',
  summary: "Change a team's access to a pipeline",
  method: 'PATCH',
  alsoMethods: ['PUT'],
  path: itemPath,
  scope: 'write_teams',
  status: 200,
  body: looseObject({ access_level: enumeration(pipelineAccess) }),
  reply: TeamPipeline,
  command: {
    load: async ({ records }) => records.teamPipeline,
    decide: (association, { input }) => ({
      batch: merge({ replace: [replace('teamPipeline', association, { access_level: input.access_level })] }),
      reply: { ...association, access_level: input.access_level },
    }),
  },
  render: (association, { records, links }) => renderTeamPipeline(association, records.organization.slug, links),
});

/** Spec 4.7 writes the path without an identifier; clients send one. Both work, and nothing is deleted by guessing (decisions 9). */
const destroy = command({
  id: 'teamPipelines.delete',
  summary: 'Remove a pipeline from a team',
  description: 'Without an id in the path, `pipeline_id` in the query or the body names the pipeline.',
  method: 'DELETE',
  path: itemPath,
  alsoPaths: [path],
  scope: 'write_teams',
  status: 204,
  query: { pipeline_id: stringParameter('Id of the pipeline, where the path names none') },
  body: looseObject({ pipeline_id: optional(nullable(string())) }),
  errors: ['team_pipeline.blank_pipeline'],
  command: {
    async load({ records, query, input, reader }) {
      if (records.teamPipeline !== undefined) return records.teamPipeline;
      const id = (query.pipeline_id as string | undefined) ?? input.pipeline_id ?? '';
      if (id === '') return errors.teamPipelineUnnamed();
      const args = { teams: [records.team.id], pipeline: id.toLowerCase() };
      const [association] = isUuid(id) ? await reader.select('teamPipeline.ofTeams', args, 1) : [];
      return association ?? errors.teamPipelineNotFound();
    },
    decide: (association) => ({ batch: merge({ remove: [remove('teamPipeline', association)] }), reply: null }),
  },
});

/** Team pipelines (spec 4.7). */
export const teamPipelines = [listPipelines, get, create, update, destroy];
