import { Hono } from 'hono';
import { fetchHandler } from 'millrace/fetch';
import { api } from './api.js';

const ci = fetchHandler(api, { prefix: '/ci' });

export const app = new Hono();
app.all('/ci/*', (c) => ci(c.req.raw));
app.get('/', (c) => c.text('A page of my own'));
