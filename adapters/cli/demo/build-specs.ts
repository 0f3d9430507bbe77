import { busyAgents } from './fleet.js';
import type { Person } from './people.js';
import type { PipelineSlug } from './pipelines.js';

/** The outcome of a build of the demo. Each scenario determines the states of its jobs. */
export type Scenario =
  | 'passed'
  /** Passed, with a soft-failed job. */
  | 'soft_failed'
  /** Passed, with a job that was retried automatically. */
  | 'auto_retried'
  /** Passed, with a job that a user retried. */
  | 'manually_retried'
  | 'failed'
  | 'timed_out'
  | 'expired'
  | 'blocked'
  | 'running'
  /** Running its last jobs. */
  | 'finishing'
  | 'failing'
  | 'scheduled'
  | 'canceling'
  | 'canceled'
  | 'skipped'
  | 'not_run';

export interface BuildSpec {
  readonly pipeline: PipelineSlug;
  readonly scenario: Scenario;
  readonly branch: string;
  readonly creator: Person;
  readonly message: string;
  /** Number of the pull request. */
  readonly pullRequest?: number;
  /** Number of the build that this one repeats. */
  readonly rebuiltFrom?: number;
  /** Names of the agents that run its jobs. */
  readonly busyAgents?: readonly string[];
}

type BuildRow = readonly [
  scenario: Scenario,
  branch: string,
  creator: Person,
  message: string,
  overrides?: Partial<BuildSpec>,
];

/** Oldest first: the first build has number 1. */
const web: readonly BuildRow[] = [
  ['passed', 'main', 'ada', 'Add the pricing page'],
  ['passed', 'feature/dark-mode', 'ben', 'Read the colour scheme from the system', { pullRequest: 412 }],
  ['failed', 'feature/dark-mode', 'ben', 'Invert the logo at night', { pullRequest: 412 }],
  ['passed', 'feature/dark-mode', 'ben', 'Keep the logo readable on both backgrounds', { pullRequest: 412 }],
  ['passed', 'main', 'chloe', 'Merge pull request #412 from acme/feature/dark-mode'],
  ['soft_failed', 'main', 'dai', 'Bump vite from 7.1.3 to 7.2.0'],
  ['passed', 'fix/login-loop', 'eve', 'Stop redirecting to the page we are on', { pullRequest: 415 }],
  ['auto_retried', 'fix/login-loop', 'eve', 'Cover the login loop with a test', { pullRequest: 415 }],
  ['passed', 'main', 'ada', 'Merge pull request #415 from acme/fix/login-loop'],
  ['canceled', 'feature/search', 'dai', 'WIP: search as you type', { pullRequest: 417 }],
  ['passed', 'feature/search', 'dai', 'Search as you type', { pullRequest: 417 }],
  ['manually_retried', 'main', 'ben', 'Cache the font files for a year'],
  ['passed', 'release/2.14', 'ada', 'Release 2.14.0'],
  ['failed', 'feature/search', 'dai', 'Rank exact matches first', { pullRequest: 417 }],
  ['passed', 'feature/search', 'dai', 'Rank exact matches first', { pullRequest: 417, rebuiltFrom: 14 }],
  ['passed', 'main', 'chloe', 'Translate the checkout into Finnish 🇫🇮'],
  ['soft_failed', 'main', 'eve', 'Upgrade to Node 22'],
  ['passed', 'chore/eslint', 'ben', 'Turn on no-floating-promises', { pullRequest: 421 }],
  ['failed', 'chore/eslint', 'ben', 'Fix what no-floating-promises found', { pullRequest: 421 }],
  ['canceled', 'chore/eslint', 'ben', 'Await the analytics beacon', { pullRequest: 421 }],
  ['passed', 'chore/eslint', 'ben', 'Do not await the analytics beacon', { pullRequest: 421 }],
  ['passed', 'main', 'ada', 'Merge pull request #417 from acme/feature/search'],
  ['auto_retried', 'main', 'chloe', 'Lazy-load the map'],
  ['passed', 'fix/safari-flex', 'eve', 'Work around flex gaps in old Safari', { pullRequest: 424 }],
  ['passed', 'main', 'eve', 'Merge pull request #424 from acme/fix/safari-flex'],
  [
    'failing',
    'feature/checkout-v2',
    'dai',
    'Ask for the address before the card',
    { pullRequest: 426, busyAgents: [busyAgents[3]] },
  ],
  ['finishing', 'main', 'chloe', 'Show delivery times by region', { busyAgents: [busyAgents[5]] }],
  [
    'running',
    'fix/cart-badge',
    'ben',
    "Count items, not lines, in the cart's badge",
    { pullRequest: 427, busyAgents: busyAgents.slice(0, 2) },
  ],
];

const api: readonly BuildRow[] = [
  ['passed', 'main', 'chloe', 'Rename /orders/export to /exports'],
  ['passed', 'feature/webhooks', 'dai', 'Sign webhook deliveries', { pullRequest: 198 }],
  ['manually_retried', 'feature/webhooks', 'dai', 'Retry deliveries with growing pauses', { pullRequest: 198 }],
  ['failed', 'main', 'ada', 'Add an index for orders by customer'],
  ['passed', 'main', 'ada', 'Build the index concurrently'],
  ['soft_failed', 'main', 'eve', 'Return 409 when an order changes underfoot'],
  ['passed', 'release/1.9', 'ada', 'Release 1.9.2'],
  ['canceled', 'feature/rate-limits', 'ben', 'Count requests by token', { pullRequest: 203 }],
  ['passed', 'feature/rate-limits', 'ben', 'Count requests by organization', { pullRequest: 203 }],
  ['blocked', 'main', 'ben', 'Merge pull request #203 from acme/feature/rate-limits'],
  ['passed', 'feature/rate-limits', 'chloe', 'Tell clients when to come back', { pullRequest: 205 }],
  ['failed', 'feature/audit-log', 'eve', 'Write an audit log', { pullRequest: 206 }],
  ['passed', 'main', 'dai', 'Bump pg from 8.16 to 8.17'],
  ['blocked', 'release/1.10', 'ada', 'Release 1.10.0'],
  ['passed', 'feature/audit-log', 'eve', 'Leave passwords out of the audit log', { pullRequest: 206 }],
  ['blocked', 'main', 'eve', 'Merge pull request #206 from acme/feature/audit-log'],
  ['canceling', 'feature/graph', 'chloe', 'Try a graph of services', { busyAgents: [busyAgents[4]] }],
  ['running', 'feature/graph', 'chloe', 'Draw services as a tree', { busyAgents: [busyAgents[2], busyAgents[6]] }],
];

const mobile: readonly BuildRow[] = [
  ['passed', 'main', 'dai', 'Support iOS 26'],
  ['expired', 'main', 'dai', 'Shrink the launch image'],
  ['passed', 'release/5.3', 'chloe', 'Release 5.3'],
  ['timed_out', 'main', 'ben', 'Run UI tests on two devices'],
  ['passed', 'main', 'ben', 'Wait for animations in UI tests'],
  ['not_run', 'docs/readme', 'eve', 'Explain how to get a certificate'],
  ['passed', 'main', 'chloe', 'Remember the last tab'],
  ['skipped', 'feature/widgets', 'dai', 'Add an order widget', { pullRequest: 88 }],
  ['skipped', 'feature/widgets', 'dai', 'Refresh the order widget every hour', { pullRequest: 88 }],
  ['canceled', 'feature/offline', 'eve', 'Keep the cart while offline', { pullRequest: 90 }],
  ['not_run', 'docs/changelog', 'ada', 'Write the changelog for 5.3'],
  ['scheduled', 'feature/widgets', 'dai', 'Refresh the order widget when it is looked at', { pullRequest: 88 }],
  ['scheduled', 'main', 'chloe', 'Ask for a rating after the third order'],
  ['scheduled', 'feature/offline', 'eve', 'Send the cart once there is a connection', { pullRequest: 90 }],
];

const toBuildSpecs = (pipeline: PipelineSlug, rows: readonly BuildRow[]): BuildSpec[] =>
  rows.map(([scenario, branch, creator, message, overrides]) => ({
    pipeline,
    scenario,
    branch,
    creator,
    message,
    ...overrides,
  }));

/** The builds of each pipeline, oldest first. */
export const buildSpecs: Readonly<Record<PipelineSlug, readonly BuildSpec[]>> = {
  web: toBuildSpecs('web', web),
  api: toBuildSpecs('api', api),
  mobile: toBuildSpecs('mobile', mobile),
};
