import { readBody } from '../contract/body.js';
import type { CommandOperation, Reader } from '../contract/operation.js';
import { invalid, invalidFields, Refusal } from '../contract/refusal.js';
import { type Resolution, resolvePath } from '../contract/resolvers.js';
import { open, type Schema } from '../contract/schema.js';
import { humanize, validate } from '../contract/validation.js';
import { execute, type Shell } from '../execute.js';
import { type AuthenticatedRequest, contextFor, type HandlerOptions, isAborted, readQuery } from './request-context.js';
import { type Result, resultOf } from './result.js';

export interface CommandHandlerOptions extends HandlerOptions, Shell {
  readonly storage: Shell['storage'];
  readonly surroundings: Shell['surroundings'];
  /** Largest request body in bytes (decisions 1). */
  readonly bodyLimit: number;
}

/** Handles a command: resolve the path, check the right, read query and body, execute, render the reply. */
export async function handleCommand(
  operation: CommandOperation,
  asked: AuthenticatedRequest,
  options: CommandHandlerOptions,
): Promise<Result | Refusal> {
  const { caller, params, request } = asked;
  const { right } = operation;
  const locate = (reader: Reader) =>
    resolvePath(params, caller, reader, async (organization) =>
      right === undefined ? true : options.auth.may(caller, { to: right, organization }),
    );
  const resolved = await locate(options.storage);
  if (resolved instanceof Refusal) return resolved;
  const query = readQuery(operation, asked.query);
  if (query instanceof Refusal) return query;
  const body = await readBody(request, options.bodyLimit);
  if (body instanceof Refusal) return body;
  const input = await readInput(operation, body);
  if (input instanceof Refusal) return input;

  let first: Partial<Resolution> | undefined = resolved;
  const locateForAttempt = async (reader: Reader) => {
    const at = first ?? (await locate(reader));
    first = undefined;
    return at as never;
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
  if (reply instanceof Refusal) return reply;
  return operation.present
    ? resultOf(operation.status, await operation.present(reply, contextFor(asked, resolved, query.values, options)))
    : { status: operation.status };
}

const noBody = open({});

async function readInput(operation: CommandOperation, body: Readonly<Record<string, unknown>>): Promise<unknown> {
  const schema: Schema = operation.body ?? noBody;
  const read = await validate(schema, body);
  if ('value' in read) return read.value;
  if (operation.problems === 'fields') return invalidFields(read.problems.map(({ field, code }) => ({ field, code })));
  return invalid(...read.problems.map(({ field, reason }) => `${humanize(field)} ${reason}`));
}
