import { createServer } from 'node:http';
import { nodeHandler } from 'millrace/node';
import { api } from './api.js';

const ci = nodeHandler(api, { prefix: '/ci' });

export const server = createServer((request, response) =>
  ci(request, response, () => response.end('A page of my own')),
);
