import { array, enumeration, optional, strictObject, string } from '../schema/schema.js';

/** The body of every error (spec 7). */
export const ErrorBody = strictObject(
  {
    message: string({ minLength: 1 }),
    errors: optional(
      array(strictObject({ field: string(), code: enumeration(['missing', 'invalid', 'too_long']) }), {
        minItems: 1,
        description: 'What is wrong with which field, where that is told apart',
      }),
    ),
  },
  { title: 'Error', description: 'Why a request was refused' },
);
