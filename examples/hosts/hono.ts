import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { campus, courses, port, started } from './campus.ts';

const app = new Hono();
app.get('/courses', (c) => c.json(courses));

const handle = campus.handler();
const listener = getRequestListener(app.fetch);
const server = createServer((req, res) => handle(req, res, () => void listener(req, res)));
server.listen(port, started);
