import { readFileSync } from 'node:fs';
import { createCampus } from 'campus-oidc';
import { storedLog } from 'campus-oidc/log';
import { defineTool, mcp } from 'campus-oidc/mcp';
import { loopbackClients, vendorPlatforms, wellKnownVendors } from 'campus-oidc/policies';
import { findMember, signedInMember } from './people.ts';
import { store } from './store.ts';

/** As people have it in their browser: the address of the proxy. */
export const origin = process.env.ORIGIN ?? 'https://localhost:8443';
const school = { id: 'harbour', origin, name: 'Harbour School', connectionsEnabled: true };

const listCourses = defineTool({
  name: 'list_courses',
  description: 'Lists the courses of this school.',
  access: { scopes: ['courses:read'] },
  run: (_arguments, { site }) => `Courses of ${site.name}: Knots, Tides`,
});

export const campus = createCampus({
  platform: {
    findSite: (asked) => (asked === origin ? school : undefined),
    signedInMember,
    signInUrl: (_ctx, _site, returnTo) => `/sign-in?return_to=${encodeURIComponent(returnTo)}`,
    findMember: (_site, memberId) => findMember(memberId),
  },
  store,
  // `campus-oidc keys new keys.json` makes them; all processes read the same file.
  keys: () => JSON.parse(readFileSync(process.env.KEYS_FILE ?? 'keys.json', 'utf8')),
  registration: [vendorPlatforms(wellKnownVendors), loopbackClients()],
  // Activity shows it, and campus.log.list finds events in it.
  log: storedLog({ days: 90 }),
  mcp: mcp({ tools: [listCourses] }),
});

campus.events.on('fault', ({ message, cause }) => console.error('fault:', message, cause));
campus.events.on('audit', (event) => console.log(JSON.stringify(event)));
