// protect-express.ts
import { once } from 'node:events';
import express from 'express';
import { callCourses } from './call-courses.ts';
import { createHarbour, origin } from './harbour.ts';

const campus = createHarbour({});
const readsCourses = campus.guard({ scopes: ['courses:read'] });
const app = express();
app.use(campus.handler());
app.use('/api', readsCourses); // guards everything below /api
app.get('/api/courses', (req, res) => {
  const { member, clientId } = readsCourses.tokenOf(req);
  res.json({ courses: ['Knots'], requestedBy: member.id, through: clientId });
});

const server = app.listen(Number(new URL(origin).port));
await once(server, 'listening');
await callCourses(campus);
server.close();
