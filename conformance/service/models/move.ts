import type { Shown } from '../records.js';
import type { Cluster, Organization, Team } from './organization.js';

/** What a command draws its values from; few different ones, so that they meet. */
export interface Draw {
  /** Pick targets by their place, whatever there is then. */
  readonly first: number;
  readonly second: number;
  readonly name: string;
  readonly text: string | null;
  readonly flag: boolean;
}

/** A request, what the model says of its outcome, and what it does to the model. */
export interface Move {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  /** The refusal that the model foresees. */
  readonly refused?: readonly [status: number, message: string] | undefined;
  apply(reply: Shown): void;
}

/** Plans a move; undefined where there is nothing to do it to. */
export type Plan = (organization: Organization, draw: Draw) => Move | undefined;

export const at = <T>(all: readonly T[], place: number): T | undefined =>
  all.length > 0 ? all[place % all.length] : undefined;
export const without = <T>(all: readonly T[], gone: T): T[] => all.filter((one) => one !== gone);
export const taken = (what: string) => [422, `Validation failed: ${what} has already been taken`] as const;
export const slug = (name: string): string => name.toLowerCase().replaceAll(' ', '-');

export const onCluster =
  (plan: (cluster: Cluster, organization: Organization, draw: Draw) => Move | undefined): Plan =>
  (organization, draw) => {
    const cluster = at(organization.clusters, draw.first);
    return cluster && plan(cluster, organization, draw);
  };

export const onTeam =
  (plan: (team: Team, path: string, organization: Organization, draw: Draw) => Move): Plan =>
  (organization, draw) => {
    const team = at(organization.teams, draw.first);
    return team && plan(team, `/teams/${team.id}`, organization, draw);
  };
