import type { Case } from '../case.js';

/** The needs of a case that are not among the capabilities. */
export const missingCapabilities = (needs: Case<never>['needs'] = [], capabilities: readonly string[]): string[] =>
  needs.filter((need) => !capabilities.includes(need));

/** The default reason for a skipped case. */
export const skipReason = (unmetNeeds: readonly string[]): string =>
  `needs ${unmetNeeds.join(', ')}, which is not declared`;
