import type { ReadOperation } from '../contract/operation.js';
import { notFound, Refusal } from '../contract/refusal.js';
import { resolvePath, resolveStamp } from '../contract/resolvers.js';
import { asObject } from './chunks.js';
import { type AuthenticatedRequest, contextFor, type HandlerOptions, readQuery } from './request-context.js';
import { type Result, resultOf } from './result.js';

/** Handles a read: resolve the path, read the query, run the operation. */
export async function handleRead(
  operation: ReadOperation,
  request: AuthenticatedRequest,
  options: HandlerOptions,
): Promise<Result | Refusal> {
  if (operation.show) return handleCachedRead(operation, operation.show, request, options);
  const at = await resolvePath(request.params, request.caller, options.storage);
  if (at instanceof Refusal) return at;
  const query = readQuery(operation, request.query);
  if (query instanceof Refusal) return query;
  return resultOf(200, await operation.run?.(contextFor(request, at, query.values, options)));
}

/** Handles a read of a record that may be in the render cache: only the stamp of the record is looked up. */
async function handleCachedRead(
  operation: ReadOperation,
  show: NonNullable<ReadOperation['show']>,
  request: AuthenticatedRequest,
  options: HandlerOptions,
): Promise<Result | Refusal> {
  const resolved = await resolveStamp(request.params, request.caller, options.storage);
  if (resolved instanceof Refusal) return resolved;
  const query = readQuery(operation, request.query);
  if (query instanceof Refusal) return query;
  const shown = await show([resolved.stamp], contextFor(request, resolved.at, query.values, options));
  if (shown instanceof Refusal) return shown;
  const [record] = shown;
  return record ? { status: 200, chunks: asObject(record) } : notFound(resolved.what);
}
