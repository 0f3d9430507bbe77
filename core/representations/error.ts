import { choice, exact, list, optional, text } from '../contract/schema.js';

/** The body of every error (spec 7). */
export const ErrorBody = exact(
  {
    message: text({ minLength: 1 }),
    errors: optional(
      list(exact({ field: text(), code: choice(['missing', 'invalid', 'too_long']) }), {
        minItems: 1,
        description: 'What is wrong with which field, where that is told apart',
      }),
    ),
  },
  { title: 'Error', description: 'Why a request was refused' },
);
