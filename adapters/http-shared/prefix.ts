/** The prefix without a trailing slash; empty if there is none. Throws `TypeError` if it is not a path. */
export function normalizePrefix(prefix = ''): string {
  const trimmed = prefix.replace(/\/+$/, '');
  if (trimmed !== '' && (!trimmed.startsWith('/') || /[?#\s]/.test(trimmed)))
    throw new TypeError(`The prefix must be a path such as /ci, not ${JSON.stringify(prefix)}`);
  return trimmed;
}

/** A target without the prefix, still escaped; undefined if it is not below the prefix. */
export function stripPrefix(target: string, prefix: string): string | undefined {
  if (!target.startsWith(prefix)) return undefined;
  const rest = target.slice(prefix.length);
  if (prefix === '' || rest.startsWith('/')) return rest;
  return rest === '' || rest.startsWith('?') ? `/${rest}` : undefined;
}

/** The part of a target after scheme and host: clients of proxies send absolute targets, `GET http://host/path`. */
export function toOriginForm(target: string): string {
  const absolute = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(target);
  if (!absolute) return target;
  const rest = target.slice(absolute[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}
