import { agent, agentToken, cluster, queue } from './clusters.js';
import type { RowOf } from './entity.js';
import { build, job, pipeline } from './pipelines.js';
import { suite, team, teamMember, teamPipeline, teamSuite } from './teams.js';
import { accessToken, member, organization, user } from './tenancy.js';
import { test, testBranch, testCommit } from './test-executions.js';

/** All entities that a storage stores, by name. */
export const entities = {
  organization,
  user,
  member,
  accessToken,
  cluster,
  queue,
  agentToken,
  agent,
  pipeline,
  build,
  job,
  team,
  teamMember,
  teamPipeline,
  suite,
  teamSuite,
  test,
  testCommit,
  testBranch,
};

export type EntityName = keyof typeof entities;
export const entityNames = Object.keys(entities) as EntityName[];

export type Row<E extends EntityName> = RowOf<(typeof entities)[E]>;
export type ColumnName<E extends EntityName> = keyof Row<E> & string;
