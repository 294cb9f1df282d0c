import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import { type Campus, createCampus, type FaultEvent, type HookEvent } from '../../lib/index.ts';
import { mcp } from '../../lib/mcp/index.ts';
import { expectClientConnects, fakePlatform, issueTokens } from '../../lib/testing/index.ts';
import { vendorPlatforms, wellKnownVendors } from '../../policies/index.ts';
import { testClients } from '../helpers/clients.ts';
import { memberApp } from '../helpers/flow.ts';
import { signingKey } from '../helpers/keys.ts';
import { testPeople } from '../helpers/people.ts';
import { harbourSite } from '../helpers/sites.ts';

const origin = 'https://harbour.example';
let campus: Campus;
let connected: HookEvent[];
let faults: FaultEvent[];
beforeEach(async () => {
  [connected, faults] = [[], []];
  const { harbour = {} } = testPeople();
  campus = createCampus({
    platform: fakePlatform({ schools: [{ id: 'harbour', origin, name: 'Harbour School' }], people: { harbour } }),
    store: memoryStore(),
    keys: { signing: [await signingKey('key-1')], cookies: ['a secret of the tests'] },
    clients: testClients,
    registration: [vendorPlatforms(wellKnownVendors)],
    mcp: mcp({ tools: [] }),
    hooks: { connected: (event) => void connected.push(event) },
  });
  campus.events.on('fault', (fault) => faults.push(fault));
});
afterEach(() => campus.close());

const sam = { site: origin, memberId: 'sam', clientId: memberApp.id, scopes: ['openid'] };

test.each([
  ['issueTokens', () => issueTokens(campus, sam), 'sam'],
  ['expectClientConnects', () => expectClientConnects(campus, 'chatgpt', { memberId: 'olivia' }), 'olivia'],
])(
  '%s at a school that the campus has not met yet: the hook runs once for each event, with its parties',
  async (_name, connect, person) => {
    await connect();
    await campus.close();
    expect(faults).toEqual([]);
    expect(connected.length).toBeGreaterThan(0);
    expect(new Set(connected.map(({ eventId }) => eventId)).size).toBe(connected.length);
    for (const event of connected) expect(event).toMatchObject({ site: { origin }, member: { id: person } });
  },
);

test('at a school that the campus knows it runs once as well', async () => {
  await campus.connections.list(harbourSite(origin), 'sam');
  await issueTokens(campus, sam);
  await campus.close();
  expect([connected.map(({ memberId }) => memberId), faults]).toEqual([['sam'], []]);
});
