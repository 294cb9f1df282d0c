// app-for-students.ts
import Koa from 'koa';
import { createHarbour, origin, platform } from './harbour.ts';

// Sam is always signed in here.
const campus = createHarbour({ platform: { ...platform, signedInMember: () => ({ memberId: 'sam' }) } });
const [harbour] = platform.schools;
if (!harbour) throw new Error('there is no school');

// What an administrator does at Developers.
const { application } = await campus.applications.create(harbour, {
  clientName: 'Study Timer',
  audience: 'member', // everyone with a role, students included
  confidential: false, // on the student's own device, which keeps no secret
  redirectUris: ['http://127.0.0.1:8123/callback'],
  scopes: ['openid', 'profile', 'account:read'],
});

const app = new Koa();
app.use(campus.middleware());
app.listen(new URL(origin).port, () => console.log(`ORIGIN=${origin}; CLIENT_ID=${application.clientId}`));
