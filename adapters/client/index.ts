export { type Answer, AnswerError, type Refused } from './answer.js';
export { type ClientOptions, createClient } from './client.js';
export type { Links, Page } from './page.js';
export type { Client } from './types.js';
