import { type New, reference } from '../commands/batch.js';
import type { Row, Timestamp } from '../model/index.js';
import type { Batch } from '../ports/index.js';

/** The part of `PlanDraft` that new members are inserted with. */
interface TeamMemberDraft {
  readonly now: Timestamp;
  readonly idSource: { id(): string };
  insert(entity: 'teamMember', row: New<'teamMember'>): void;
}

/**
 * Makes users who become members of an organization members of its default teams, those in the storage and those in the
 * document (spec 2.9, 4.5). Not for teams that list their members, and users who do not join default teams.
 */
export class DefaultMembers {
  readonly #defaultTeams: readonly Row<'team'>[];
  readonly #users = new Map<string, string[]>();
  readonly #entered = new Set<Row<'team'>>();

  constructor(defaultTeams: readonly Row<'team'>[]) {
    this.#defaultTeams = defaultTeams;
  }

  /** Adds a user to the existing default teams, and remembers the user for default teams that are planned later. */
  addUser(organization: string, user: string, draft: TeamMemberDraft): void {
    this.#users.set(organization, [...(this.#users.get(organization) ?? []), user]);
    for (const team of this.#defaultTeams.filter((team) => team.organization_id === organization)) {
      this.#entered.add(team);
      insertTeamMember(team, user, draft);
    }
  }

  /** Adds the users of the document who become members of the organization to a new default team. */
  addTeam(team: Row<'team'>, draft: TeamMemberDraft): void {
    for (const user of this.#users.get(team.organization_id) ?? []) insertTeamMember(team, user, draft);
  }

  /** Increments the versions of existing teams, so that a concurrent deletion of a team conflicts and reads its members again. */
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
