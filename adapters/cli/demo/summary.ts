import type { FixtureSummary } from '../fixture-summary.js';

/** The organization of the demo. A storage with this organization has the demo. */
export const organization = 'acme';

/** The summary of the demo, available without creating all records. */
export const demoSummary = {
  organizations: [organization],
  organization,
  pipeline: 'web',
  suite: 'web-tests',
  team: 'Platform',
  admin: 'ada@acme.example',
  token: null,
} as const satisfies FixtureSummary;
