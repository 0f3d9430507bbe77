import { type Answer, answered } from './answer.js';
import { type Asked, type CallOptions, callFor } from './asked.js';
import { readBody } from './contract/body.js';
import type { CommandOperation, Reader } from './contract/operation.js';
import { readParameters } from './contract/parameters.js';
import { parseQueryString } from './contract/query-string.js';
import { invalid, invalidFields, Refusal } from './contract/refusal.js';
import { type Resolution, resolvePath } from './contract/resolvers.js';
import { open, type Schema } from './contract/schema.js';
import { humanize, validate } from './contract/validation.js';
import { execute, type Shell } from './execute.js';
import type { ApiRequest } from './ports/index.js';

export interface CommandOptions extends CallOptions, Shell {
  readonly storage: Shell['storage'];
  readonly surroundings: Shell['surroundings'];
  /** Largest request body in bytes (decisions 1). */
  readonly bodyLimit: number;
}

/** Carries out what a caller has asked to be changed. */
export async function answerCommand(
  operation: CommandOperation,
  asked: Asked,
  request: ApiRequest,
  options: CommandOptions,
): Promise<Answer | Refusal> {
  const { caller, params } = asked;
  const { right } = operation;
  const locate = (reader: Reader) =>
    resolvePath(params, caller, reader, async (organization) =>
      right === undefined ? true : options.auth.may(caller, { to: right, organization }),
    );
  const resolved = await locate(options.storage);
  if (resolved instanceof Refusal) return resolved;
  const pairs = parseQueryString(asked.query);
  if (pairs instanceof Refusal) return pairs;
  const query = readParameters(operation.query ?? {}, pairs);
  if (query instanceof Refusal) return query;
  const body = await readBody(request, options.bodyLimit);
  if (body instanceof Refusal) return body;
  const input = await readInput(operation, body);
  if (input instanceof Refusal) return input;
  let fresh: Partial<Resolution> | undefined = resolved;
  const about = async (reader: Reader) => {
    const at = fresh ?? (await locate(reader));
    fresh = undefined;
    return at as never;
  };
  const reply = await execute(operation.command, { input: input as never, query, caller, locate: about }, options);
  if (reply instanceof Refusal) return reply;
  return operation.present
    ? answered(operation.status, await operation.present(reply, callFor(asked, resolved, query, options)))
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
