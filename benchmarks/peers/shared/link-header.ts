import { baseUrl } from '../../data/organization.js';
import { perPage } from './service.js';

/** The `Link` header of a page (spec 4.9). */
export function linkHeader(
  path: string,
  query: URLSearchParams,
  page: number,
  more: boolean,
  total: number,
): string | undefined {
  if (page === 1 && !more) return undefined;
  const last = total > 10_000 ? undefined : Math.max(1, Math.ceil(total / perPage));
  const others = new URLSearchParams(query);
  others.delete('page');
  others.delete('per_page');
  const linkTo = (number: number) => {
    const all = new URLSearchParams(others);
    all.set('page', String(number));
    all.set('per_page', String(perPage));
    return `<${baseUrl}${path}?${all}>`;
  };
  const links: string[] = [];
  if (page > 1) links.push(`${linkTo(1)}; rel="first"`, `${linkTo(page - 1)}; rel="prev"`);
  if (more) links.push(`${linkTo(page + 1)}; rel="next"`);
  if (last !== undefined && page !== last) links.push(`${linkTo(last)}; rel="last"`);
  return links.join(', ');
}
