import { type ApiError, isApiError } from '../errors/index.js';
import type { ReadOperation } from '../operations/contract/operation.js';
import { resolvePath, resolveStamp } from '../operations/contract/resolvers.js';
import { asObject } from './chunks.js';
import { type AuthenticatedRequest, contextFor, type HandlerOptions, readQuery } from './request-context.js';
import { type Result, resultOf } from './result.js';

/** Handles a read: resolve the path, read the query, run the operation. */
export async function handleRead(
  operation: ReadOperation,
  request: AuthenticatedRequest,
  options: HandlerOptions,
): Promise<Result | ApiError> {
  if (operation.renderCached) return handleCachedRead(operation, operation.renderCached, request, options);
  const at = await resolvePath(request.params, request.caller, options.storage);
  if (isApiError(at)) return at;
  const query = readQuery(operation, request.query);
  if (isApiError(query)) return query;
  return resultOf(200, await operation.run?.(contextFor(request, at, query.values, options)));
}

/** Handles a read of a record that may be in the render cache: only the stamp of the record is looked up. */
async function handleCachedRead(
  operation: ReadOperation,
  show: NonNullable<ReadOperation['renderCached']>,
  request: AuthenticatedRequest,
  options: HandlerOptions,
): Promise<Result | ApiError> {
  const resolved = await resolveStamp(request.params, request.caller, options.storage);
  if (isApiError(resolved)) return resolved;
  const query = readQuery(operation, request.query);
  if (isApiError(query)) return query;
  const shown = await show([resolved.stamp], contextFor(request, resolved.records, query.values, options));
  if (isApiError(shown)) return shown;
  const [record] = shown;
  return record ? { status: 200, chunks: asObject(record) } : resolved.notFound();
}
