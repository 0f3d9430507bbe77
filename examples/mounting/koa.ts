import Koa from 'koa';
import mount from 'koa-mount';
import { koaMiddleware } from 'millrace/koa';
import { api } from './api.js';

export const app = new Koa();
app.use(mount('/ci', koaMiddleware(api)));
app.use((ctx) => {
  ctx.body = 'A page of my own';
});
