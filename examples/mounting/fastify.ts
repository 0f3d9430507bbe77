import { fastify } from 'fastify';
import { nodeHandler } from 'millrace/node';
import { api } from './api.js';

const ci = nodeHandler(api, { prefix: '/ci' });

export const app = fastify();
app.addHook('onRequest', (request, reply, next) => ci(request.raw, reply.raw, next));
app.get('/', () => 'A page of my own');
