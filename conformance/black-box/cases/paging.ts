import assert from 'node:assert/strict';
import { type BlackBoxCase, blackBoxCase, needsOf } from '../case.js';
import { getBody, listOperations, recordId, retryUntilUnchanged, targetFor } from '../read-operations.js';

/** Parses a `Link` header: the relations in their order, each with the query of its URL. */
function parseLinks(header: string | undefined, path: string): [rel: string, query: string][] {
  return (header?.split(', ') ?? []).map((part) => {
    const [, url = '', rel = ''] = /^<(https?:\/\/[^>]*)>; rel="(\w+)"$/.exec(part) ?? [];
    const [address = '', query = ''] = url.split('?');
    assert.ok(address.endsWith(path), `${part} does not lead to ${path}`);
    return [rel, query];
  });
}

/** The expected relations of a page, each with its page number (decisions 3). */
const relations = (page: number, last: number): [rel: string, page: number][] => [
  ...(page > 1
    ? ([
        ['first', 1],
        ['prev', Math.min(page - 1, last)],
      ] as [string, number][])
    : []),
  ...(page < last ? ([['next', page + 1]] as [string, number][]) : []),
  ...(page === last ? [] : ([['last', last]] as [string, number][])),
];

/** Number of pages that are read. */
const pageCount = 4;

const pageCases: readonly BlackBoxCase[] = listOperations.map((operation) =>
  blackBoxCase(
    `pages.${operation.id}`,
    ['spec 4.9', 'decisions 3', 'decisions 12'],
    needsOf(operation),
    async (service) => {
      const path = targetFor(service, operation);
      const whole = () => service.send('GET', `${path}?per_page=100`);
      await retryUntilUnchanged(
        async () => (await whole()).body.map(recordId),
        async () => {
          const { body, headers } = await whole();
          const all: string[] = body.map(recordId);
          assert.equal(new Set(all).size, all.length, 'no record appears twice');
          // If the list is longer than this page, only the records of this page are compared.
          const isAll = headers.link === undefined;
          const size = Math.max(1, Math.ceil(all.length / pageCount));
          const last = isAll ? Math.max(1, Math.ceil(all.length / size)) : Number.POSITIVE_INFINITY;
          for (let page = 1; page <= Math.min(last + 2, isAll ? pageCount + 2 : pageCount); page += 1) {
            const response = await service.send('GET', `${path}?unknown=x&per_page=${size}&page=${page}`);
            assert.deepEqual(response.body.map(recordId), all.slice((page - 1) * size, page * size), `page ${page}`);
            const links = parseLinks(response.headers.link, path);
            if (!isAll) {
              const wanted = page > 1 ? ['first', 'prev', 'next'] : ['next'];
              assert.deepEqual(
                links.map(([rel]) => rel).filter((rel) => rel !== 'last'),
                wanted,
                `links of page ${page}`,
              );
              continue;
            }
            const wanted = last === 1 && page === 1 ? [] : relations(page, last);
            assert.deepEqual(
              links,
              wanted.map(([rel, to]) => [rel, `unknown=x&page=${to}&per_page=${size}`]),
              `links of page ${page} of ${last}`,
            );
          }
          if (operation.unpaged === true) return;
          for (const query of ['', 'page=0', 'page=1'])
            assert.deepEqual((await getBody(service, `${path}?${query}`)).map(recordId), all.slice(0, 30), `?${query}`);
          for (const size of ['101', '9007199254740991'])
            assert.deepEqual(
              (await getBody(service, `${path}?per_page=${size}`)).map(recordId),
              all,
              `?per_page=${size}`,
            );
        },
      );
    },
  ),
);

export const pagingCases: readonly BlackBoxCase[] = pageCases;
