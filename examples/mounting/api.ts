import { createApi } from 'millrace';
import { memoryStorage } from 'millrace/memory';

export const api = createApi({ storage: memoryStorage(), baseUrl: 'https://example.com/ci' });
