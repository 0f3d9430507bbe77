import express from 'express';
import { nodeHandler } from 'millrace/node';
import { api } from './api.js';

export const app = express();
app.use(express.json());
app.use('/ci', nodeHandler(api));
app.get('/', (_request, response) => void response.send('A page of my own'));
