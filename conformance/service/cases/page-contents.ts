import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { FixtureRecord } from '../../../core/index.js';
import { isInState, type StateFilter } from '../../api/index.js';
import { atSeam, type Case } from '../../case.js';
import { propertyParameters } from '../../property-settings.js';
import { organizationFixture } from '../fixture.js';
import { type Fixture, type Service, type ServiceHarness, withService } from '../service.js';

type BuildState = NonNullable<FixtureRecord<'builds'>['state']>;

/** A build with generated values for the filtered fields. There are few different values, so that builds share them. */
const builds = fc.array(
  fc.record({
    pipeline: fc.constantFrom('web', 'deploy'),
    branch: fc.constantFrom('main', 'topic', 'Main'),
    commit: fc.constantFrom('a'.repeat(40), 'b'.repeat(40)),
    state: fc.constantFrom<BuildState>('scheduled', 'running', 'passed', 'failed', 'canceled', 'skipped'),
    blocked: fc.boolean(),
    creator: fc.constantFrom('admin@acme.test', 'member@acme.test'),
    second: fc.integer({ min: 0, max: 4 }),
    meta_data: fc.dictionary(fc.constantFrom('k', 'l'), fc.constantFrom('1', '2', '100%'), { maxKeys: 2 }),
  }),
  { minLength: 20, maxLength: 60, size: 'medium' },
);

const at = (second: number): string => `2026-01-01T00:00:0${second}.000Z`;

const filters = fc.record(
  {
    branch: fc.subarray(['main', 'topic', 'none'], { minLength: 1 }),
    commit: fc.subarray(['a'.repeat(40), 'aaaa'], { minLength: 1 }),
    state: fc.subarray<StateFilter>(['scheduled', 'passed', 'failed', 'blocked', 'finished'], { minLength: 1 }),
    created_from: fc.integer({ min: 0, max: 4 }).map(at),
    created_to: fc.integer({ min: 0, max: 4 }).map(at),
    meta_data: fc.dictionary(fc.constantFrom('k', 'l'), fc.constantFrom('1', '2', '100%'), { minKeys: 1 }),
  },
  { requiredKeys: [] },
);
type Filters = typeof filters extends fc.Arbitrary<infer T> ? T : never;

function queryOf(chosen: Filters): string {
  const query = new URLSearchParams();
  for (const name of ['branch', 'commit', 'state'] as const)
    for (const value of chosen[name] ?? []) query.append(`${name}[]`, value);
  for (const name of ['created_from', 'created_to'] as const) if (chosen[name]) query.append(name, chosen[name]);
  for (const [key, value] of Object.entries(chosen.meta_data ?? {})) query.append(`meta_data[${key}]`, value);
  return query.toString();
}

interface RenderedBuild {
  readonly id: string;
  readonly branch: string;
  readonly commit: string;
  readonly state: string;
  readonly blocked: boolean;
  readonly created_at: string;
  readonly meta_data: Readonly<Record<string, string>>;
}

/** The filters of spec 4.2, applied to an array of rendered builds. */
function matches(build: RenderedBuild, chosen: Filters): boolean {
  return (
    (chosen.branch?.includes(build.branch) ?? true) &&
    (chosen.commit?.includes(build.commit) ?? true) &&
    (chosen.state?.some((value) => isInState(value, build)) ?? true) &&
    (chosen.created_from === undefined || build.created_at >= chosen.created_from) &&
    (chosen.created_to === undefined || build.created_at < chosen.created_to) &&
    Object.entries(chosen.meta_data ?? {}).every(([key, value]) => build.meta_data[key] === value)
  );
}

/** Follows `next` from the first page to the last. */
async function walk(
  service: Service,
  target: string,
  most: number,
): Promise<{ items: RenderedBuild[]; pages: number }> {
  const items: RenderedBuild[] = [];
  let pages = 0;
  for (let next: string | undefined = target; next !== undefined; pages += 1) {
    assert.ok(pages <= most, `${target} has more than ${most} pages`);
    const response = await service.send('GET', next);
    assert.equal(response.status, 200);
    items.push(...response.body);
    next = relation(response.headers.link, 'next');
  }
  return { items, pages };
}

/** The target of a relation in a `Link` header, without the base URL. */
export function relation(link: string | undefined, name: string): string | undefined {
  const url = link?.split(', ').find((part) => part.endsWith(`rel="${name}"`));
  return url?.slice(1, url.indexOf('>')).replace('https://api.ci.test', '');
}

function fixtureOf(chosen: typeof builds extends fc.Arbitrary<infer T> ? T : never): Fixture {
  return {
    ...organizationFixture('acme'),
    builds: chosen.map(({ second, blocked, state, ...build }) => ({
      ...build,
      organization: 'acme',
      state,
      blocked: blocked && (state === 'passed' || state === 'failed'),
      created_at: at(second),
      jobs: [],
    })),
  };
}

const concatenation: Case<ServiceHarness> = {
  id: 'pages.concatenate-to-the-whole',
  cites: 'spec 4.2, spec 4.9, decisions 3, decisions 7',
  run: (harness) =>
    fc.assert(
      fc.asyncProperty(
        builds,
        fc.array(fc.tuple(filters, fc.integer({ min: 1, max: 25 }), fc.constantFrom('', '/pipelines/web')), {
          minLength: 5,
          maxLength: 12,
        }),
        (chosen, questions) =>
          withService(harness, fixtureOf(chosen), async (service) => {
            const everything = (await walk(service, '/v2/organizations/acme/builds?per_page=100', 2)).items;
            assert.equal(everything.length, chosen.length);
            const sorted = everything.toSorted((a, b) =>
              a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : 0,
            );
            assert.deepEqual(
              everything.map((build) => build.created_at),
              sorted.map((build) => build.created_at),
            );
            for (const [question, size, below] of questions) {
              const target = `/v2/organizations/acme${below}/builds?${queryOf(question)}&per_page=${size}`;
              const wanted = everything.filter(
                (build) =>
                  matches(build, question) &&
                  (below === '' || (build as unknown as { pipeline: { slug: string } }).pipeline.slug === 'web'),
              );
              const { items, pages } = await walk(service, target, chosen.length + 1);
              assert.deepEqual(
                items.map((build) => build.id),
                wanted.map((build) => build.id),
                target,
              );
              assert.equal(pages, Math.max(1, Math.ceil(wanted.length / size)), target);
            }
          }),
      ),
      propertyParameters(15),
    ),
};

export const pageContents = atSeam('pages', [concatenation]);
