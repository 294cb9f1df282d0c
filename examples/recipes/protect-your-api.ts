// protect-your-api.ts
import { once } from 'node:events';
import { issueTokens } from 'campus-oidc/testing';
import Koa from 'koa';
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
for (const scopes of [['openid', 'courses:read'], ['openid']]) {
  const tokens = await issueTokens(campus, { site: origin, memberId: 'olivia', clientId: 'reports', scopes });
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  const response = await fetch(`${origin}/api/courses`, { headers });
  console.log(scopes.join(' '), response.status, await response.text());
}
const anonymous = await fetch(`${origin}/api/courses`);
console.log('no token', anonymous.status, anonymous.headers.get('www-authenticate')?.slice(0, 20));
server.close();
