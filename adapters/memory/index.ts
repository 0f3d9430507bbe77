export { memoryStorage } from './storage.js';
