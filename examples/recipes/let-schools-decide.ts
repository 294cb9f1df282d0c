// let-schools-decide.ts
import { knownDocuments, metadataDocuments, onlyRoles } from 'campus-oidc/policies';
import { mcp } from 'campus-oidc/mcp';
import { expectClientConnects } from 'campus-oidc/testing';
import { createHarbour, platform } from './harbour.ts';

const campus = createHarbour({
  metadataDocuments: metadataDocuments({ documents: knownDocuments }),
  mcp: mcp({ tools: [] }),
  // The platform has policies; the stricter of their rules and the school's applies.
  access: [onlyRoles(['owner'], { app: 'claude' })],
});
const [harbour] = platform.schools;
if (!harbour) throw new Error('there is no school');

await expectClientConnects(campus, 'chatgpt');
// What an administrator does at Apps, from a page or job of your own.
const { connections } = await campus.apps.set(harbour, 'chatgpt', { access: 'blocked' });
console.log(`connections ended: ${connections}`);
await expectClientConnects(campus, 'chatgpt').catch(({ message }: Error) =>
  console.log(/Harbour School has blocked \w+/.exec(message)?.[0]),
);
for (const app of ['chatgpt', 'claude']) {
  const { clientName, rule, from } = await campus.apps.find(harbour, app);
  console.log(`${clientName}: ${rule.access} for ${rule.roles?.join() ?? 'everyone'}, by the ${from}`);
}
