import type { ReadOperation } from '../operations/contract/operation.js';
import { resolvePath, resolveStamp } from '../operations/contract/resolvers.js';
import { notFound, Refusal } from '../refusal.js';
import { asObject } from './chunks.js';
import { type AuthenticatedRequest, contextFor, type HandlerOptions, readQuery } from './request-context.js';
import { type Result, resultOf } from './result.js';

/** Handles a read: resolve the path, read the query, run the operation. */
export async function handleRead(
  operation: ReadOperation,
  request: AuthenticatedRequest,
  options: HandlerOptions,
): Promise<Result | Refusal> {
  if (operation.renderCached) return handleCachedRead(operation, operation.renderCached, request, options);
  const at = await resolvePath(request.params, request.caller, options.storage);
  if (at instanceof Refusal) return at;
  const query = readQuery(operation, request.query);
  if (query instanceof Refusal) return query;
  return resultOf(200, await operation.run?.(contextFor(request, at, query.values, options)));
}

/** Handles a read of a record that may be in the render cache: only the stamp of the record is looked up. */
async function handleCachedRead(
  operation: ReadOperation,
  show: NonNullable<ReadOperation['renderCached']>,
  request: AuthenticatedRequest,
  options: HandlerOptions,
): Promise<Result | Refusal> {
  const resolved = await resolveStamp(request.params, request.caller, options.storage);
  if (resolved instanceof Refusal) return resolved;
  const query = readQuery(operation, request.query);
  if (query instanceof Refusal) return query;
  const shown = await show([resolved.stamp], contextFor(request, resolved.records, query.values, options));
  if (shown instanceof Refusal) return shown;
  const [record] = shown;
  return record ? { status: 200, chunks: asObject(record) } : notFound(resolved.label);
}
