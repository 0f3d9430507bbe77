import { createHash } from 'node:crypto';
import type { FixtureRecord } from '../../../core/index.js';
import type { Calendar } from './calendar.js';
import { demoSummary, organization } from './summary.js';

/** Emails of the members. Ada is an admin; Chloé is not, but has the permission to stop agents. */
export const emails = {
  ada: demoSummary.admin,
  ben: 'ben@acme.example',
  chloe: 'chloe@acme.example',
  dai: 'dai@acme.example',
  eve: 'eve@acme.example',
} as const;
export type Person = keyof typeof emails;

const names: Readonly<Record<Person, string>> = {
  ada: 'Ada Moreno',
  ben: 'Ben Okafor',
  chloe: 'Chloé Lindqvist',
  dai: 'Dai Nakamura',
  eve: 'Eve Castellanos',
};

export const nameOf = (person: Person): string => names[person];

const avatar = (email: string): string =>
  `https://www.gravatar.com/avatar/${createHash('md5').update(email).digest('hex')}`;

export const organizations = (calendar: Calendar): FixtureRecord<'organizations'>[] => [
  { slug: organization, name: 'Acme Inc.', pipelines_security: true, created_at: calendar.daysAgo(90) },
];

export const users = (calendar: Calendar): FixtureRecord<'users'>[] =>
  Object.entries(emails).map(([person, email], index) => ({
    name: names[person as Person],
    email,
    avatar_url: avatar(email),
    created_at: calendar.daysAgo(88 - 7 * index),
    organizations: [
      {
        organization,
        role: person === 'ada' ? 'admin' : 'member',
        permissions: person === 'chloe' ? ['stop_agents'] : [],
      },
    ],
  }));

/** The first team is the one whose id the command prints. It has a pipeline and the suite. */
export const teams = (calendar: Calendar): FixtureRecord<'teams'>[] => [
  {
    organization,
    name: demoSummary.team,
    description: 'Looks after the web pipeline and its tests',
    privacy: 'visible',
    default_member_role: 'member',
    members_can_create_pipelines: true,
    created_by: emails.ada,
    created_at: calendar.daysAgo(80),
    members: [
      { user: emails.ada, role: 'maintainer' },
      { user: emails.ben, role: 'member' },
      { user: emails.chloe, role: 'member' },
    ],
    pipelines: [
      { pipeline: demoSummary.pipeline, access_level: 'manage_build_and_read', created_at: calendar.daysAgo(79) },
      { pipeline: 'api', access_level: 'build_and_read', created_at: calendar.daysAgo(72) },
    ],
    suites: [{ suite: demoSummary.suite, access_level: ['read', 'edit'], created_at: calendar.daysAgo(60) }],
  },
  {
    organization,
    name: 'Everyone',
    description: 'All of Acme',
    privacy: 'visible',
    is_default_team: true,
    created_by: emails.ada,
    created_at: calendar.daysAgo(85),
    members: Object.values(emails).map((user) => ({ user, role: 'member' as const })),
    pipelines: [{ pipeline: 'mobile', access_level: 'read_only', created_at: calendar.daysAgo(50) }],
  },
  {
    organization,
    name: 'Incident Response',
    description: '',
    privacy: 'secret',
    created_by: emails.chloe,
    created_at: calendar.daysAgo(20),
    members: [{ user: emails.chloe, role: 'maintainer' }],
  },
];

export const suites = (calendar: Calendar): FixtureRecord<'suites'>[] => [
  {
    organization,
    slug: demoSummary.suite,
    name: 'Web tests',
    default_branch: 'main',
    collector: 'ruby',
    created_at: calendar.daysAgo(61),
  },
];
