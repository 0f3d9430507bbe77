import { type New, reference } from '../commands/batch.js';
import type { Row, Timestamp } from '../model/index.js';
import type { Batch } from '../ports/index.js';

/** What new members are inserted into: a `PlanDraft`. */
interface TeamMemberDraft {
  readonly now: Timestamp;
  readonly idSource: { id(): string };
  insert(entity: 'teamMember', row: New<'teamMember'>): void;
}

/**
 * Users who become members of an organization, and so of its default teams (spec 2.9, 4.5): of those that exist, and of those
 * of the document, but for teams that list their members and users who are said not to join.
 */
export class DefaultMembers {
  readonly #defaultTeams: readonly Row<'team'>[];
  readonly #users = new Map<string, string[]>();
  readonly #entered = new Set<Row<'team'>>();

  constructor(defaultTeams: readonly Row<'team'>[]) {
    this.#defaultTeams = defaultTeams;
  }

  /** A user joins the default teams that exist already, and is kept in mind for those to come. */
  addUser(organization: string, user: string, draft: TeamMemberDraft): void {
    this.#users.set(organization, [...(this.#users.get(organization) ?? []), user]);
    for (const team of this.#defaultTeams.filter((team) => team.organization_id === organization)) {
      this.#entered.add(team);
      insertTeamMember(team, user, draft);
    }
  }

  /** A new default team takes in the users of its organization that the document brings along. */
  addTeam(team: Row<'team'>, draft: TeamMemberDraft): void {
    for (const user of this.#users.get(team.organization_id) ?? []) insertTeamMember(team, user, draft);
  }

  /** Raises the version of existing teams, so that a concurrent deletion of a team reads its members again. */
  get changes(): Partial<Batch> {
    return { touch: [...this.#entered].map((team) => reference('team', team)) };
  }
}

const insertTeamMember = (team: Row<'team'>, user: string, draft: TeamMemberDraft): void =>
  draft.insert('teamMember', {
    id: draft.idSource.id(),
    organization_id: team.organization_id,
    team_id: team.id,
    user_id: user,
    role: team.default_member_role,
    created_at: draft.now,
  });
