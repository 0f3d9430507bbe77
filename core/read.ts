import { type Answer, answered } from './answer.js';
import { type Asked, type CallOptions, callFor } from './asked.js';
import type { ListOperation, Reader, ReadOperation, Rendered } from './contract/operation.js';
import { countUpTo, linkHeader, offsetOf, readPage } from './contract/pagination.js';
import { readParameters } from './contract/parameters.js';
import { parseQueryString, type QueryPair } from './contract/query-string.js';
import { notFound, Refusal } from './contract/refusal.js';
import { resolvePath, resolveToLast } from './contract/resolvers.js';

/** What is left to do for a request once everything has been looked up that is kept for a moment anyway. */
export type Way = (asked: Asked) => Promise<Answer | Refusal>;

/**
 * All that a read depends on beside its records is looked up through the reader: path, query, what the list is of. The way
 * that is left then takes its own reader, and may be taken again as long as these look-ups hold, by requests with the same
 * `keyOf`.
 */
export function wayTo(
  operation: ListOperation | ReadOperation,
  asked: Asked,
  reader: Reader,
  options: CallOptions,
): Promise<Way | Refusal> {
  if (operation.form === 'list') return wayToList(operation, asked, reader, options);
  return operation.show ? wayToShown(operation, asked, reader, options) : wayToReply(operation, asked, reader, options);
}

/** What requests have in common that may take the same way: all of it, or, to a record, the path up to it. */
export const keyOf = (operation: ListOperation | ReadOperation, { path, query }: Asked): string =>
  operation.form === 'list'
    ? `${path}?${query}`
    : `${path.slice(0, path.lastIndexOf('/', path.length - 2))} ${operation.id}`;

const everybody = async () => true;

/** The values of the query with the pairs they were read from. */
function readQuery({ query: parameters = {} }: ListOperation | ReadOperation, text: string) {
  const pairs = parseQueryString(text);
  if (pairs instanceof Refusal) return pairs;
  const values = readParameters(parameters, pairs);
  return values instanceof Refusal ? values : { pairs, values };
}

/** The records of the whole path, then the query. */
async function understood(operation: ListOperation | ReadOperation, asked: Asked, reader: Reader) {
  const at = await resolvePath(asked.params, asked.caller, reader, everybody);
  if (at instanceof Refusal) return at;
  const query = readQuery(operation, asked.query);
  return query instanceof Refusal ? query : { at, ...query };
}

async function wayToList(
  operation: ListOperation,
  asked: Asked,
  reader: Reader,
  options: CallOptions,
): Promise<Way | Refusal> {
  const known = await understood(operation, asked, reader);
  if (known instanceof Refusal) return known;
  const { at, pairs, values } = known;
  const page = readPage(pairs);
  if (page instanceof Refusal) return page;
  const call = callFor(asked, at, values, options);
  const args = await operation.where({ ...call, reader });
  if (args instanceof Refusal) return args;
  const whole = operation.unpaged && !pairs.some(isAboutPages);
  const window = whole ? { offset: 0, limit: countUpTo } : { offset: offsetOf(page), limit: page.size, countUpTo };
  return async () => {
    const found = await call.reader.find(operation.source, args, window);
    const link = linkHeader(page, found, call.links.api(asked.path), pairs);
    const headers: Answer['headers'] = link === undefined ? {} : { Link: link };
    if (operation.show) {
      return { status: 200, rendered: asList(await operation.show(found.stamps, call)), headers };
    }
    const ids = found.stamps.map((stamp) => stamp.id);
    const rows = ids.length > 0 ? await call.reader.load(operation.source, ids) : [];
    const byId = new Map(rows.map((row) => [row.id, row]));
    const ordered = ids.flatMap((id) => byId.get(id) ?? []);
    return { status: 200, payload: await operation.present?.(ordered, call), headers };
  };
}

const isAboutPages = ({ name }: QueryPair): boolean => name === 'page' || name === 'per_page';

/** To a record that is rendered: of it only the stamp is looked up. */
async function wayToShown(
  operation: ReadOperation,
  asked: Asked,
  reader: Reader,
  options: CallOptions,
): Promise<Way | Refusal> {
  const named = await resolveToLast(asked.params, asked.caller, reader);
  if (named instanceof Refusal) return named;
  return async (now) => {
    const stamp = await named.stamp(now.params, options.storage);
    // That there is no such record is told before what is wrong with the query.
    if (!stamp) return notFound(named.what);
    const query = readQuery(operation, now.query);
    if (query instanceof Refusal) return query;
    const [record] = (await operation.show?.([stamp], callFor(now, named.at, query.values, options))) ?? [];
    return record ? { status: 200, rendered: dropComma([...record]) } : notFound(named.what);
  };
}

async function wayToReply(
  operation: ReadOperation,
  asked: Asked,
  reader: Reader,
  options: CallOptions,
): Promise<Way | Refusal> {
  const known = await understood(operation, asked, reader);
  if (known instanceof Refusal) return known;
  const call = callFor(asked, known.at, known.values, options);
  return async () => answered(200, await operation.run?.(call));
}

const opening = Buffer.from('[');
const closing = Buffer.from(']');

/** Rendered records as the chunks of one JSON list. Chunk by chunk: `flat` takes twenty times as long. */
function asList(records: readonly Rendered[]): Uint8Array[] {
  const chunks: Uint8Array[] = [opening];
  for (const record of records) for (const chunk of record) chunks.push(chunk);
  if (records.length > 0) dropComma(chunks);
  chunks.push(closing);
  return chunks;
}

/** The last chunk of a record ends with the comma that follows it, unless nothing does. */
function dropComma(chunks: Uint8Array[]): Uint8Array[] {
  const last = chunks.pop();
  if (last) chunks.push(last.subarray(0, -1));
  return chunks;
}
