import { fetchHandler } from 'millrace/fetch';
import { api } from './api.js';

const ci = fetchHandler(api, { prefix: '/ci' });

export default {
  fetch: async (request: Request): Promise<Response> =>
    new URL(request.url).pathname.startsWith('/ci/') ? ci(request) : new Response('A page of my own'),
};
