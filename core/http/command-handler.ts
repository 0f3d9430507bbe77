import { type CommandRuntime, execute } from '../commands/execute.js';
import { type ApiError, errors, isApiError } from '../errors/index.js';
import type { CommandOperation } from '../operations/contract/operation.js';
import { type ResolvedRecords, resolvePath } from '../operations/contract/resolvers.js';
import type { Reader } from '../ports/storage.js';
import { looseObject, type Schema } from '../schema/schema.js';
import { describeProblems, validate } from '../schema/validation.js';
import { readBody } from './body.js';
import { type AuthenticatedRequest, contextFor, type HandlerOptions, isAborted, readQuery } from './request-context.js';
import { type Result, resultOf } from './result.js';

export interface CommandHandlerOptions extends HandlerOptions, CommandRuntime {
  readonly storage: CommandRuntime['storage'];
  readonly context: CommandRuntime['context'];
  /** Largest request body in bytes (decisions 1). */
  readonly bodyLimit: number;
}

/** Handles a command: resolve the path, check the right, read query and body, execute, render the reply. */
export async function handleCommand(
  operation: CommandOperation,
  authenticated: AuthenticatedRequest,
  options: CommandHandlerOptions,
): Promise<Result | ApiError> {
  const { caller, params, request } = authenticated;
  const { right } = operation;
  const locate = (reader: Reader) =>
    resolvePath(params, caller, reader, async (organization) =>
      right === undefined ? true : options.authorizer.isAllowed(caller, { to: right, organization }),
    );
  const resolved = await locate(options.storage);
  if (isApiError(resolved)) return resolved;
  const query = readQuery(operation, authenticated.query);
  if (isApiError(query)) return query;
  const body = await readBody(request, options.bodyLimit);
  if (isApiError(body)) return body;
  const input = await readInput(operation, body);
  if (isApiError(input)) return input;

  let first: Partial<ResolvedRecords> | undefined = resolved;
  const locateForAttempt = async (reader: Reader) => {
    const records = first ?? (await locate(reader));
    first = undefined;
    return records as never;
  };
  const reply = await execute(
    operation.command,
    {
      input: input as never,
      query: query.values,
      caller,
      locate: locateForAttempt,
      isAborted: () => isAborted(request),
    },
    options,
  );
  if (isApiError(reply)) return reply;
  return operation.render
    ? resultOf(
        operation.status,
        await operation.render(reply, contextFor(authenticated, resolved, query.values, options)),
      )
    : { status: operation.status };
}

const noBody = looseObject({});

async function readInput(operation: CommandOperation, body: Readonly<Record<string, unknown>>): Promise<unknown> {
  const schema: Schema = operation.body ?? noBody;
  const read = await validate(schema, body);
  if ('value' in read) return read.value;
  if (operation.validationErrors === 'fields')
    return errors.fieldValidationFailed({ errors: read.problems.map(({ field, code }) => ({ field, code })) });
  return errors.validationFailed({ reasons: describeProblems(read.problems) });
}
