import assert from 'node:assert/strict';
import { filteredState, type Operation, stateFilter } from '../../api/index.js';
import { type BlackBoxCase, blackBoxCase, needsOf } from '../case.js';
import { listOperations, type RenderedRecord, recordId, retryUntilUnchanged, targetFor } from '../read-operations.js';

/**
 * A filter to test. `matches` says whether a record passes it, where the rendered record shows that. `mustFind` is a record that
 * the filter has to find.
 */
interface FilterExample {
  readonly query: string;
  readonly matches?: (rendered: RenderedRecord) => boolean;
  readonly mustFind?: RenderedRecord;
}

const queryParameter = (name: string, value: string): string => `${name}=${encodeURIComponent(value)}`;

const buildFilters = (build: RenderedRecord): FilterExample[] => [
  ...(['branch', 'commit'] as const).map((name) => ({
    query: queryParameter(`${name}[]`, build[name]),
    matches: (rendered: RenderedRecord) => rendered[name] === build[name],
  })),
  ...Object.entries(stateFilter)
    .filter(([, states]) => (states as readonly string[]).includes(filteredState(build)))
    .map(([name, states]) => ({
      query: queryParameter('state', name),
      matches: (rendered: RenderedRecord) => (states as readonly string[]).includes(filteredState(rendered)),
    })),
  ...(build.creator === null
    ? []
    : [
        {
          query: queryParameter('creator', build.creator.id),
          matches: (rendered: RenderedRecord) => rendered.creator?.id === build.creator.id,
        },
      ]),
  {
    query: queryParameter('created_from', build.created_at),
    matches: (rendered) => rendered.created_at >= build.created_at,
  },
  ...(build.finished_at === null
    ? []
    : [
        {
          query: queryParameter('finished_from', build.finished_at),
          matches: (rendered: RenderedRecord) =>
            rendered.finished_at !== null && rendered.finished_at >= build.finished_at,
        },
      ]),
  ...Object.entries(build.meta_data as Record<string, string>)
    .slice(0, 1)
    .map(([key, value]) => ({
      query: queryParameter(`meta_data[${encodeURIComponent(key)}]`, value),
      matches: (rendered: RenderedRecord) => rendered.meta_data[key] === value,
    })),
];

const agentFilters = (agent: RenderedRecord): FilterExample[] =>
  (['name', 'hostname', 'version'] as const)
    .filter((name) => typeof agent[name] === 'string')
    .map((name) => ({
      query: queryParameter(name, agent[name]),
      matches: (rendered: RenderedRecord) => rendered[name] === agent[name],
    }));

/** The search may look into locations too. That depends on the suite and is not visible in the API, so there is no `matches`. */
const flakyTestFilters = (flaky: RenderedRecord): FilterExample[] => [
  { query: queryParameter('search', flaky.name), mustFind: flaky },
];

/** The API does not show the members of a team, so there is no `matches`. */
const teamFilters = ({ created_by: creator }: RenderedRecord): FilterExample[] =>
  creator === null ? [] : [{ query: queryParameter('user_id', creator.id) }];

const filtersByOperation: readonly (readonly [
  prefix: string,
  examplesOf: (rendered: RenderedRecord) => FilterExample[],
])[] = [
  ['builds.', buildFilters],
  ['agents.', agentFilters],
  ['flakyTests.', flakyTestFilters],
  ['teams.', teamFilters],
];

const filterExamples = (operation: Operation, rendered: RenderedRecord): FilterExample[] =>
  filtersByOperation.flatMap(([prefix, examplesOf]) => (operation.id.startsWith(prefix) ? examplesOf(rendered) : []));

/** Number of records of each list whose own values are used as filters. */
const sampleSize = 4;

/** A filtered list has exactly the records that match, in the order of the unfiltered list. */
const subsets: readonly BlackBoxCase[] = listOperations
  .filter(({ id }) => filtersByOperation.some(([prefix]) => id.startsWith(prefix)))
  .map((operation) =>
    blackBoxCase(
      `filters.${operation.id}`,
      ['spec 4.1', 'spec 4.2', 'spec 4.8', 'decisions 7'],
      needsOf(operation),
      async (service) => {
        const path = targetFor(service, operation);
        const fetchFiltered = (query: string) => service.send('GET', `${path}?per_page=100&${query}`);
        await retryUntilUnchanged(
          async () => (await fetchFiltered('')).body,
          async () => {
            const whole = await fetchFiltered('');
            const isAll = whole.headers.link === undefined;
            for (const rendered of whole.body.slice(0, sampleSize)) {
              for (const { query, matches, mustFind } of filterExamples(operation, rendered)) {
                const { status, body } = await fetchFiltered(query);
                assert.equal(status, 200, query);
                const ids: string[] = body.map(recordId);
                for (const one of body) assert.ok(matches?.(one) ?? true, `${recordId(one)} does not pass ${query}`);
                if (mustFind !== undefined)
                  assert.ok(ids.includes(recordId(mustFind)), `${query} does not find ${recordId(mustFind)}`);
                const isFound = matches ?? ((one: RenderedRecord) => ids.includes(recordId(one)));
                const expected = whole.body.filter(isFound).map(recordId);
                // If the whole list is longer than a page, only the beginning of the filtered list can be compared.
                assert.deepEqual(isAll ? ids : ids.slice(0, expected.length), expected, query);
              }
            }
          },
        );
      },
    ),
  );

const emptyResults = blackBoxCase(
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
    for (const query of [...none, `branch=${service.uniqueName()}`, `meta_data[${service.uniqueName()}]=x`]) {
      const { status, body } = await service.send('GET', `${builds}?${query}`);
      assert.deepEqual([status, body], [200, []], query);
    }
  },
);

export const filteringCases: readonly BlackBoxCase[] = [...subsets, emptyResults];
