import type { ErrorEntry } from './entry.js';

/** What is no fault of the request, and fixtures as a whole. */
export const serviceErrors = {
  conflict: {
    code: 'record.conflict',
    status: 409,
    message: 'The record is being changed by too many others at once. Please try again',
    when: 'A change met changes of others again and again, and was given up. Nothing was changed.',
    whatToDo: 'Try again.',
  },
  internal: {
    code: 'internal',
    status: 500,
    message: 'Something went wrong on our side',
    when: 'There is a bug in the API or in a part that the embedder brings. The option `onError` is given the cause.',
    whatToDo: 'Look at what `onError` was given; report the bug.',
  },
  storageUnavailable: {
    code: 'storage.unavailable',
    status: 503,
    message: 'The service is unavailable for the moment. Please try again',
    headers: { 'Retry-After': '{seconds}' },
    when: 'The database cannot be reached or does not answer in time. The option `onError` is given the cause.',
    whatToDo: 'Try again after the seconds of the `Retry-After` header.',
  },
  fixtureInvalid: {
    code: 'fixture.invalid',
    status: 422,
    message: "The fixture can't be loaded: {summary}",
    details: 'problems',
    when: 'A fixture or a provisioned record is not valid. Nothing of it was written.',
    whatToDo: 'Correct what `data.problems` names, each by its path: at most the first hundred.',
  },
} as const satisfies Record<string, ErrorEntry>;
