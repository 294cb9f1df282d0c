import { createServer } from 'node:http';
import { campus, courses, port, started } from './campus.ts';

const handle = campus.handler();

const server = createServer((req, res) =>
  handle(req, res, () => {
    res.statusCode = req.url === '/courses' ? 200 : 404;
    res.setHeader('Content-Type', 'application/json');
    res.end(JSON.stringify(res.statusCode === 200 ? courses : { error: 'not found' }));
  }),
);
server.listen(port, started);
