import { arrayOf, object, oneOf, text } from '../schema.js';

/** The body of an error (spec 7). */
export const ErrorBody = object(
  {
    message: { type: 'string', minLength: 1 },
  },
  {
    errors: arrayOf(
      object({
        field: text,
        code: oneOf('missing', 'invalid', 'too_long'),
      }),
      { minItems: 1 },
    ),
  },
);
