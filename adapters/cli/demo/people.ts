import { createHash } from 'node:crypto';
import type { FixtureRecord } from '../../../core/index.js';
import type { Calendar } from './calendar.js';
import { demoLandmarks, organization } from './landmarks.js';

/** Emails of the members. Ada is an admin; Chloé may stop agents without being one. */
export const people = {
  ada: demoLandmarks.admin,
  ben: 'ben@acme.example',
  chloe: 'chloe@acme.example',
  dai: 'dai@acme.example',
  eve: 'eve@acme.example',
} as const;
export type Person = keyof typeof people;

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
  Object.entries(people).map(([person, email], index) => ({
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

/** The first team is the one whose id the command prints: it holds a pipeline and the suite. */
export const teams = (calendar: Calendar): FixtureRecord<'teams'>[] => [
  {
    organization,
    name: demoLandmarks.team,
    description: 'Looks after the web pipeline and its tests',
    privacy: 'visible',
    default_member_role: 'member',
    members_can_create_pipelines: true,
    created_by: people.ada,
    created_at: calendar.daysAgo(80),
    members: [
      { user: people.ada, role: 'maintainer' },
      { user: people.ben, role: 'member' },
      { user: people.chloe, role: 'member' },
    ],
    pipelines: [
      { pipeline: demoLandmarks.pipeline, access_level: 'manage_build_and_read', created_at: calendar.daysAgo(79) },
      { pipeline: 'api', access_level: 'build_and_read', created_at: calendar.daysAgo(72) },
    ],
    suites: [{ suite: demoLandmarks.suite, access_level: ['read', 'edit'], created_at: calendar.daysAgo(60) }],
  },
  {
    organization,
    name: 'Everyone',
    description: 'All of Acme',
    privacy: 'visible',
    is_default_team: true,
    created_by: people.ada,
    created_at: calendar.daysAgo(85),
    members: Object.values(people).map((user) => ({ user, role: 'member' as const })),
    pipelines: [{ pipeline: 'mobile', access_level: 'read_only', created_at: calendar.daysAgo(50) }],
  },
  {
    organization,
    name: 'Incident Response',
    description: '',
    privacy: 'secret',
    created_by: people.chloe,
    created_at: calendar.daysAgo(20),
    members: [{ user: people.chloe, role: 'maintainer' }],
  },
];

export const suites = (calendar: Calendar): FixtureRecord<'suites'>[] => [
  {
    organization,
    slug: demoLandmarks.suite,
    name: 'Web tests',
    default_branch: 'main',
    collector: 'ruby',
    created_at: calendar.daysAgo(61),
  },
];
