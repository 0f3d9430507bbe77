import type { FixtureSummary } from '../fixture-summary.js';

/** The organization of the demo. A storage that has it has the demo. */
export const organization = 'acme';

/** What stands out in the demo; known without making all of its records. */
export const demoSummary = {
  organizations: [organization],
  organization,
  pipeline: 'web',
  suite: 'web-tests',
  team: 'Platform',
  admin: 'ada@acme.example',
  token: null,
} as const satisfies FixtureSummary;
