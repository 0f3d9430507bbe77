import type { RenderedRecord } from '../records.js';
import type { Cluster, OrganizationModel, Team } from './organization-model.js';

/** Generated values for a command. There are few different ones, so that commands conflict. */
export interface RandomValues {
  /** Indexes that select records. */
  readonly first: number;
  readonly second: number;
  readonly name: string;
  readonly text: string | null;
  readonly flag: boolean;
}

/** A request with its expected outcome and its effect on the model. */
export interface ModelCommand {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  /** The expected status and message of a refusal. */
  readonly expectedError?: readonly [status: number, message: string] | undefined;
  apply(reply: RenderedRecord): void;
}

/** Plans a command. Undefined if the model has no record for it. */
export type PlanCommand = (organization: OrganizationModel, values: RandomValues) => ModelCommand | undefined;

export const pick = <T>(all: readonly T[], index: number): T | undefined =>
  all.length > 0 ? all[index % all.length] : undefined;
export const without = <T>(all: readonly T[], gone: T): T[] => all.filter((one) => one !== gone);
export const alreadyTaken = (what: string) => [422, `Validation failed: ${what} has already been taken`] as const;
export const slug = (name: string): string => name.toLowerCase().replaceAll(' ', '-');

export const onCluster =
  (
    plan: (cluster: Cluster, organization: OrganizationModel, values: RandomValues) => ModelCommand | undefined,
  ): PlanCommand =>
  (organization, values) => {
    const cluster = pick(organization.clusters, values.first);
    return cluster && plan(cluster, organization, values);
  };

export const onTeam =
  (
    plan: (team: Team, path: string, organization: OrganizationModel, values: RandomValues) => ModelCommand,
  ): PlanCommand =>
  (organization, values) => {
    const team = pick(organization.teams, values.first);
    return team && plan(team, `/teams/${team.id}`, organization, values);
  };
