/** The arguments of a method: path values by name, `query` and `body`. */
export interface Arguments {
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly [parameter: string]: unknown;
}

/**
 * Fills in the parameters of a path. Throws `TypeError` if one is missing or would change the path: URL parsers resolve `.` and
 * `..` as dot segments even when they are escaped.
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

/** The query string with its `?`; empty if there are no parameters. Arrays become `name[]=…`, objects `name[key]=…`. */
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
