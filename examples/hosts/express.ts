import express from 'express';
import { campus, courses, port, started } from './campus.ts';

const app = express();
app.set('trust proxy', 'loopback'); // your proxies: campus does what Express does
app.use(campus.handler()); // on the application, without a path
app.use(express.json());
app.get('/courses', (_req, res) => void res.json(courses));
app.listen(port, started);
