import type { ApiError, ApiErrorData } from './api-error.js';
import loadBoom from './boom.cjs';
import { type Catalogue, catalogue, type ErrorCode, type ErrorEntry } from './catalogue/index.js';

type Placeholder<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholder<Rest> : never;

/** The names of all placeholders in the message and the headers of an entry. */
type PlaceholderOf<Entry> = Entry extends { message: infer Message }
  ? Placeholder<Message> | (Entry extends { headers: infer Headers } ? Placeholder<Headers[keyof Headers]> : never)
  : never;

type DetailsOf<Entry> = Entry extends { details: infer Name extends 'errors' | 'problems' }
  ? Required<Pick<ApiErrorData, Name>>
  : unknown;

/** What a constructor is given: a value for every placeholder, and the details. */
type Values<Entry> = { readonly [Name in PlaceholderOf<Entry>]: string | number } & DetailsOf<Entry>;

type CodeOf<Entry extends ErrorEntry> = Entry['code'] & ErrorCode;

type Constructor<Entry extends ErrorEntry> = { readonly code: CodeOf<Entry> } & (keyof Values<Entry> extends never
  ? () => ApiError<CodeOf<Entry>>
  : (values: Values<Entry>) => ApiError<CodeOf<Entry>>);

/** The constructor of an error whose text is always the same. */
export type PlainConstructor = { readonly code: ErrorCode } & (() => ApiError);

/** A constructor for every error of the catalogue: `errors.queuePaused()`, `errors.missingScope({ scope })`. */
export const errors = Object.fromEntries(
  Object.entries(catalogue).map(([name, entry]) => [name, constructorOf(entry)]),
) as unknown as { readonly [Name in keyof Catalogue]: Constructor<Catalogue[Name]> };

function constructorOf(entry: Catalogue[keyof Catalogue]) {
  const { code, status, message, headers, details }: ErrorEntry & { readonly code: ErrorCode } = entry;
  function makeError(values: Readonly<Record<string, unknown>> = {}): ApiError {
    const { Boom } = loadBoom();
    const data = { code, ...(details ? { [details]: values[details] } : {}) };
    // Stack traces begin where the error was made, not here.
    const error = new Boom(fill(message, values), { statusCode: status, data, ctor: makeError });
    for (const [name, value] of Object.entries(headers ?? {})) error.output.headers[name] = fill(value, values);
    return error as ApiError;
  }
  return Object.assign(makeError, { code });
}

/** Values are put in once: a value that looks like a placeholder stays as it is. */
const fill = (text: string, values: Readonly<Record<string, unknown>>): string =>
  text.includes('{') ? text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name])) : text;
