export { type ApiError, type ApiErrorData, type FieldError, isApiError } from './api-error.js';
export { catalogue, type ErrorCode, type ErrorEntry, entriesByCode } from './catalogue/index.js';
export { errors, type PlainConstructor } from './constructors.js';
export { type ErrorResult, errorResult } from './result.js';
