import type { Case } from '../case.js';

/** What a case needs and is not claimed. */
export const missing = (needs: Case<never>['needs'] = [], claims: readonly string[]): string[] =>
  needs.filter((need) => !claims.includes(need));

/** Why a case is skipped that lacks these, where nobody has more to say about it. */
export const whyNot = (lacking: readonly string[]): string => `needs ${lacking.join(', ')}, which is not claimed`;
