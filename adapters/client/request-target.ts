/** What a method is called with: values of the path by name, and these two. */
export interface Arguments {
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly [parameter: string]: unknown;
}

/**
 * Fills in the parameters of a path. Throws `TypeError` for one that is missing, or that would lead to another path: `.` and
 * `..` are taken for steps by whoever resolves the address, however they are escaped.
 */
export const fillPath = (path: string, args: Arguments): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = args[name];
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text !== 'string' || text === '' || text === '.' || text === '..') {
      throw new TypeError(`${name} must be the id, slug or number of a record, not ${JSON.stringify(value)}`);
    }
    return encodeURIComponent(text);
  });

/** The query string with its `?`, empty if there is none. Lists become `name[]=…`, entries `name[key]=…`. */
export function formatQuery(query: Arguments['query'] = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => queryPairs(name, value));
  const text = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  return text === '' ? '' : `?${text}`;
}

function queryPairs(name: string, value: unknown): [name: string, value: string][] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value.map((item) => [`${name}[]`, String(item)]);
  if (typeof value !== 'object' || value === null) return [[name, String(value)]];
  return Object.entries(value).map(([key, item]) => [`${name}[${key}]`, String(item)]);
}
