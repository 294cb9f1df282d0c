// answer-a-parent.ts
import type { AuditEvent } from 'campus-oidc';
import { issueTokens } from 'campus-oidc/testing';
import { createHarbour, platform } from './harbour.ts';

const campus = createHarbour({});
const [harbour] = platform.schools;
if (!harbour) throw new Error('there is no school');
const log: AuditEvent[] = []; // your audit log: a table, or the file of auditLog()
campus.events.on('audit', (event) => log.push(event));

// Sam connects an app.
const scopes = ['openid', 'account:read'];
await issueTokens(campus, { site: harbour, memberId: 'sam', clientId: 'pocket-app', scopes });

// Which apps can see my child's data, and since when? The export has no credential.
const { connections } = await campus.members.export(harbour, 'sam');
for (const { clientName, scopes: granted, createdAt } of connections) {
  const hours = Math.floor((Date.now() / 1000 - createdAt) / 3600);
  console.log(`${clientName}: ${granted.join(', ')}, for ${hours} hours`);
}
// What did they do?
for (const { action, clientId } of log.filter(({ memberId }) => memberId === 'sam')) console.log(action, clientId);
// Remove it all. The first call ends every connection.
let step = await campus.members.erase(harbour, 'sam');
while (step.next !== undefined) step = await campus.members.erase(harbour, 'sam', step);
console.log('removed:', step.removed);
console.log('left:', (await campus.members.export(harbour, 'sam')).connections.length);
