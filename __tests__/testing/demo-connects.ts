// Run by a test, as a host's own test would be: everything comes from the package.
import { expectClientConnects, type KnownClient } from 'campus-oidc/testing';
import { createDemo } from '../../examples/school-platform/app.ts';
import { schoolOrigins } from '../../examples/school-platform/seed.ts';

const port = 3000;
const demo = await createDemo({ port });
const site = schoolOrigins(port).harbour;
const tool = { name: 'school_info' };
const memberId = 'person-olivia';
for (const name of ['claude-code', 'claude', 'vs-code', 'cursor', 'mcp-inspector'] satisfies KnownClient[]) {
  await expectClientConnects(demo.campus, name, { site, memberId, tool });
  console.log(`${name} connects`);
}
await demo.close();
