// debug-a-client.ts
import { loopbackClients } from 'campus-oidc/policies';
import { expectClientConnects } from 'campus-oidc/testing';
import { createHarbour, platform } from './harbour.ts';

const campus = createHarbour({ registration: [loopbackClients()] });
const [harbour] = platform.schools;
if (!harbour) throw new Error('there is no school');
campus.events.on('audit', ({ action, reason }) => console.log('audit:', action, reason));
campus.events.on('fault', ({ message }) => console.log('fault:', message));

// 1. Would it get a client_id? This changes nothing.
const { status, body } = await campus.explainRegistration(harbour, {
  client_name: 'My CLI',
  redirect_uris: ['https://cli.example/callback'],
});
console.log(status, body.error_description);

// 2. What does a known app need that this campus lacks?
await expectClientConnects(campus, 'claude-code').catch((error: Error) => console.log(error.message.split('\n')[0]));

// 3. What is wrong with the campus itself?
for (const { severity, id } of await campus.diagnose({ origins: [harbour.origin] })) console.log(severity, id);
