import type { ErrorEntry } from './entry.js';

/** Bodies that cannot be read, and input that is not valid (spec 7, decisions 1 and 8). */
export const bodyErrors = {
  bodyTooLarge: {
    code: 'body.too_large',
    status: 413,
    message: 'The request body is larger than {limit} bytes',
    when: 'The body is larger than the `bodyLimit` of the API.',
    whatToDo: 'Send less, or raise the option `bodyLimit`.',
  },
  bodyUnsupportedType: {
    code: 'body.unsupported_type',
    status: 415,
    message: 'Request bodies must be JSON (Content-Type: application/json)',
    when: 'The content type of the body is not JSON.',
    whatToDo: 'Send JSON with `Content-Type: application/json`.',
  },
  bodyUnsupportedCharset: {
    code: 'body.unsupported_charset',
    status: 415,
    message: 'Request bodies must be encoded in UTF-8',
    when: 'The content type names another charset than UTF-8.',
    whatToDo: 'Encode the body in UTF-8.',
  },
  bodyInvalidUtf8: {
    code: 'body.invalid_utf8',
    status: 400,
    message: 'The request body is not valid UTF-8',
    when: 'The bytes of the body are not UTF-8.',
    whatToDo: 'Encode the body in UTF-8.',
  },
  bodyInvalidJson: {
    code: 'body.invalid_json',
    status: 400,
    message: 'The request body is not valid JSON',
    when: 'The body cannot be parsed as JSON.',
    whatToDo: 'Serialize the body with a JSON library.',
  },
  bodyNotObject: {
    code: 'body.not_object',
    status: 400,
    message: 'The request body must be a JSON object',
    when: 'The body is JSON, but not an object.',
    whatToDo: 'Send an object, or no body.',
  },
  bodyTooDeep: {
    code: 'body.too_deep',
    status: 400,
    message: 'The request body is nested deeper than {limit} levels',
    when: 'Arrays and objects of the body are nested too deep.',
    whatToDo: 'Send a flatter body.',
  },
  bodyForbiddenKey: {
    code: 'body.forbidden_key',
    status: 400,
    message: 'The request body has a forbidden key {key}',
    when: 'An object of the body has a key that could reach the prototype of an object.',
    whatToDo: 'Leave the key out.',
  },
  validationFailed: {
    code: 'validation.failed',
    status: 422,
    message: 'Validation failed: {reasons}',
    when: 'The body, or the input of a runtime call, is not valid.',
    whatToDo: 'Correct the properties that the message names.',
  },
  fieldValidationFailed: {
    code: 'validation.fields_failed',
    status: 422,
    message: 'Validation Failed',
    details: 'errors',
    when: 'The body of a new build is not valid; `errors` names each field and what is wrong with it.',
    whatToDo: 'Correct the fields that `errors` names.',
  },
} as const satisfies Record<string, ErrorEntry>;
