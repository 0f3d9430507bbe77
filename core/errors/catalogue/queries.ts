import type { ErrorEntry } from './entry.js';

/** Queries that cannot be read (decisions 1, 3 and 12). The message begins with the name of the parameter. */
export const queryErrors = {
  queryMalformed: {
    code: 'query.malformed_escape',
    status: 400,
    message: 'The query string has a malformed escape',
    when: 'The query string has a percent escape that is incomplete or is not UTF-8.',
    whatToDo: 'Escape names and values with `encodeURIComponent`.',
  },
  queryNotSingle: {
    code: 'query.not_single',
    status: 400,
    message: '{parameter} must be given as one plain value',
    when: 'A parameter with one value is given several times or in brackets.',
    whatToDo: 'Send the parameter once, as `name=value`.',
  },
  queryNotArray: {
    code: 'query.not_array',
    status: 400,
    message: '{parameter} must be given as {parameter}=value or {parameter}[]=value',
    when: 'A parameter with several values is given with a key in its brackets.',
    whatToDo: 'Send `name[]=value` for each value.',
  },
  queryNotMap: {
    code: 'query.not_map',
    status: 400,
    message: '{parameter} must be given as {parameter}[key]=value',
    when: 'A parameter that takes keys is given without one.',
    whatToDo: 'Send `name[key]=value` for each key.',
  },
  queryAmbiguousKey: {
    code: 'query.ambiguous_key',
    status: 400,
    message: '{parameter}[{key}] must be given once',
    when: 'The same key is given with two values, which nothing can match.',
    whatToDo: 'Send each key once.',
  },
  queryTooManyValues: {
    code: 'query.too_many_values',
    status: 400,
    message: '{parameter} must not have more than {limit} values',
    when: 'One parameter has too many values.',
    whatToDo: 'Split the request.',
  },
  queryInvalidValue: {
    code: 'query.invalid_value',
    status: 400,
    message: '{parameter} {requirement}',
    when: 'The value of a parameter is not of the form that the message names.',
    whatToDo: 'Send a value of that form.',
  },
  pageNotWhole: {
    code: 'page.not_whole',
    status: 400,
    message: '{parameter} must be a non-negative integer',
    when: '`page` or `per_page` is not a whole number.',
    whatToDo: 'Send one number, in digits.',
  },
  pageSizeZero: {
    code: 'page.size_zero',
    status: 400,
    message: 'per_page must be at least 1',
    when: '`per_page` is 0.',
    whatToDo: 'Send a page size from 1 to 100.',
  },
} as const satisfies Record<string, ErrorEntry>;
