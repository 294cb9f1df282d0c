// protect-your-api.ts
import { once } from 'node:events';
import Koa from 'koa';
import { callCourses } from './call-courses.ts';
import { createHarbour, origin } from './harbour.ts';

const campus = createHarbour({});
const app = new Koa();
app.use(campus.middleware());
app.use(campus.requireAccess({ scopes: ['courses:read'] })); // guards everything below
app.use((ctx) => {
  const { member, clientId } = ctx.state.token;
  ctx.body = { courses: ['Knots'], requestedBy: member.id, through: clientId };
});

const server = app.listen(new URL(origin).port);
await once(server, 'listening');
await callCourses(campus);
server.close();
