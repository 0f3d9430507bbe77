import assert from 'node:assert/strict';
import type { ListOperation } from '../../../core/contract/operation.js';
import { stateFilter } from '../../../core/machines/index.js';
import { idOf, lists, type Shown, standing, targetIn } from '../asking.js';
import { type BlackBoxCase, blackBoxCase, needsOf } from '../case.js';

/** A filter, and which records pass it, where they themselves tell; `finds` is a record that it has to find in any case. */
interface Question {
  readonly query: string;
  readonly passes?: (shown: Shown) => boolean;
  readonly finds?: Shown;
}

const asked = (name: string, value: string): string => `${name}=${encodeURIComponent(value)}`;

/** The states that filters know a build by (decisions 7). */
const stateOf = ({ state, blocked }: Shown): string => (blocked ? `blocked_${state}` : state);

const ofBuild = (build: Shown): Question[] => [
  ...(['branch', 'commit'] as const).map((name) => ({
    query: asked(`${name}[]`, build[name]),
    passes: (shown: Shown) => shown[name] === build[name],
  })),
  ...Object.entries(stateFilter)
    .filter(([, states]) => (states as readonly string[]).includes(stateOf(build)))
    .map(([name, states]) => ({
      query: asked('state', name),
      passes: (shown: Shown) => (states as readonly string[]).includes(stateOf(shown)),
    })),
  ...(build.creator === null
    ? []
    : [
        { query: asked('creator', build.creator.id), passes: (shown: Shown) => shown.creator?.id === build.creator.id },
      ]),
  { query: asked('created_from', build.created_at), passes: (shown) => shown.created_at >= build.created_at },
  ...(build.finished_at === null
    ? []
    : [
        {
          query: asked('finished_from', build.finished_at),
          passes: (shown: Shown) => shown.finished_at !== null && shown.finished_at >= build.finished_at,
        },
      ]),
  ...Object.entries(build.meta_data as Record<string, string>)
    .slice(0, 1)
    .map(([key, value]) => ({
      query: asked(`meta_data[${encodeURIComponent(key)}]`, value),
      passes: (shown: Shown) => shown.meta_data[key] === value,
    })),
];

const ofAgent = (agent: Shown): Question[] =>
  (['name', 'hostname', 'version'] as const)
    .filter((name) => typeof agent[name] === 'string')
    .map((name) => ({ query: asked(name, agent[name]), passes: (shown) => shown[name] === agent[name] }));

/** Whether the place in the code is searched as well depends on the suite, and cannot be told from outside. */
const ofFlakyTest = (flaky: Shown): Question[] => [{ query: asked('search', flaky.name), finds: flaky }];

/** Who is in a team is not told by the API. */
const ofTeam = ({ created_by: creator }: Shown): Question[] =>
  creator === null ? [] : [{ query: asked('user_id', creator.id) }];

const kinds: readonly (readonly [prefix: string, questions: (shown: Shown) => Question[]])[] = [
  ['builds.', ofBuild],
  ['agents.', ofAgent],
  ['flakyTests.', ofFlakyTest],
  ['teams.', ofTeam],
];

const questionsAbout = (operation: ListOperation, shown: Shown): Question[] =>
  kinds.flatMap(([prefix, questions]) => (operation.id.startsWith(prefix) ? questions(shown) : []));

/** So many records of a list are asked for by what they say of themselves. */
const sample = 4;

/** What a filter finds is a part of the whole: every record that passes, in the same order, and no other. */
const subsets: readonly BlackBoxCase[] = lists
  .filter(({ id }) => kinds.some(([prefix]) => id.startsWith(prefix)))
  .map((operation) =>
    blackBoxCase(
      `filters.${operation.id}`,
      ['spec 4.1', 'spec 4.2', 'spec 4.8', 'decisions 7'],
      needsOf(operation),
      async (service) => {
        const path = targetIn(service, operation);
        const found = (query: string) => service.send('GET', `${path}?per_page=100&${query}`);
        await standing(
          async () => (await found('')).body,
          async () => {
            const whole = await found('');
            const isAll = whole.headers.link === undefined;
            for (const shown of whole.body.slice(0, sample)) {
              for (const { query, passes, finds } of questionsAbout(operation, shown)) {
                const { status, body } = await found(query);
                assert.equal(status, 200, query);
                const ids: string[] = body.map(idOf);
                for (const one of body) assert.ok(passes?.(one) ?? true, `${idOf(one)} does not pass ${query}`);
                if (finds !== undefined) assert.ok(ids.includes(idOf(finds)), `${query} does not find ${idOf(finds)}`);
                const isFound = passes ?? ((one: Shown) => ids.includes(idOf(one)));
                const expected = whole.body.filter(isFound).map(idOf);
                // Where the whole is longer than a page, what the filter finds begins with what the page has of it.
                assert.deepEqual(isAll ? ids : ids.slice(0, expected.length), expected, query);
              }
            }
          },
        );
      },
    ),
  );

const nothing = blackBoxCase(
  'filters.find-nothing',
  ['spec 4.2', 'decisions 7'],
  ['the scope read_builds'],
  async (service) => {
    const builds = `/v2/organizations/${encodeURIComponent(service.organization)}/builds`;
    const none = [
      'creator=00000000-0000-0000-0000-000000000000',
      'created_to=1970-01-02',
      'created_from=2999-01-01',
      'branch=',
    ];
    for (const query of [...none, `branch=${service.name()}`, `meta_data[${service.name()}]=x`]) {
      const { status, body } = await service.send('GET', `${builds}?${query}`);
      assert.deepEqual([status, body], [200, []], query);
    }
  },
);

export const filteringCases: readonly BlackBoxCase[] = [...subsets, nothing];
