import type { Case } from '../case.js';

/** What a case needs and is not declared. */
export const missingCapabilities = (needs: Case<never>['needs'] = [], capabilities: readonly string[]): string[] =>
  needs.filter((need) => !capabilities.includes(need));

/** Why a case is skipped that lacks these, where nobody has more to say about it. */
export const skipReason = (unmetNeeds: readonly string[]): string =>
  `needs ${unmetNeeds.join(', ')}, which is not declared`;
