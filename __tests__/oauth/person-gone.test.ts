import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { AuditEvent, Member, SchoolPlatform } from '../../lib/index.ts';
import { memoryStore } from '../../adapters/memory/index.ts';
import {
  authorizeUrl,
  type Code,
  connect,
  exchange,
  getCode,
  introspect,
  memberApp,
  pkce,
  refresh,
  reports,
  userinfo,
  webMemberApp,
} from '../helpers/flow.ts';
import { expectError } from '../helpers/responses.ts';
import { plugins, type Schools, startSchools } from '../helpers/schools.ts';
import { siteOf } from '../helpers/sites.ts';
import { countedStore } from '../helpers/stores.ts';
import { readPage } from '../helpers/page.ts';
import { callTool } from '../mcp/rpc.ts';
import { post } from '../member-api/graphql.ts';

type FindMember = SchoolPlatform['findMember'];

let schools: Schools;
let events: AuditEvent[];
/** Stands in front of the platform's own. */
let findMember: ((find: FindMember) => FindMember) | undefined;
beforeEach(async () => {
  [events, findMember] = [[], undefined];
  schools = await startSchools({
    ...plugins,
    campus: { store: memoryStore(), log: { list: () => ({ events }) } },
    wrapPlatform: (platform) => ({
      ...platform,
      findMember: (site, id) => {
        const find: FindMember = (...asked) => platform.findMember(...asked);
        return (findMember?.(find) ?? find)(site, id);
      },
    }),
  });
  schools.campus.events.on('audit', (event) => events.unshift(event));
});
afterEach(() => schools.close());

interface Connected {
  readonly access: string;
  readonly refreshToken: string;
}

async function connected(client = memberApp, person = 'sam', origin = schools.harbour): Promise<Connected> {
  const { body } = await connect(schools.browser(person), origin, client);
  return { access: String(body['access_token']), refreshToken: String(body['refresh_token']) };
}

const sam: Member = { id: 'sam', name: 'Sam Student', email: 'sam@example.com', roles: ['student'] };
/** Somebody else, who has got the same id. */
const sunny: Member = { id: 'sam', name: 'Sunny New', email: 'sunny@example.com', roles: ['student'] };

const setSam = (member: Member | undefined): void => {
  const { sam: _before, ...others } = schools.people['harbour'] ?? {};
  schools.people['harbour'] = { ...others, ...(member && { sam: member }) };
};
const connections = (memberId = 'sam') => schools.campus.connections.list(siteOf(schools), memberId);
const ended = () => events.filter(({ action }) => action === 'connection.ended');

type Use = (tokens: Connected, code: Code) => Promise<unknown>;

const uses: [string, Use][] = [
  ['UserInfo', ({ access }) => userinfo(schools.harbour, access)],
  ['the Member API', ({ access }) => post(schools.harbour, access, { query: '{ viewer { id } }' })],
  ['a tool', ({ access }) => callTool(schools.harbour, 'nothing', {}, { token: access })],
  ['campus.verify', ({ access }) => schools.campus.verify(siteOf(schools), access).catch(() => undefined)],
  ['introspection of an access token', ({ access }) => introspect(schools.harbour, memberApp, access)],
  ['introspection of a refresh token', ({ refreshToken }) => introspect(schools.harbour, memberApp, refreshToken)],
  ['a refresh', ({ refreshToken }) => refresh(schools.harbour, memberApp, refreshToken)],
  ['the exchange of a code', (_tokens, code) => exchange(code)],
  [
    'an authorization request',
    () => schools.browser('sam').follow(authorizeUrl(schools.harbour, memberApp, pkce(), { prompt: 'none' })),
  ],
];

describe.each(uses)('%s', (_name, use) => {
  test('of somebody whom the platform no longer knows ends all that they have connected: the next person with the id gets nothing', async () => {
    const [tokens, other] = [await connected(), await connected(webMemberApp)];
    const code = await getCode(schools.browser('sam'), schools.harbour, memberApp);
    const olivia = await connected(reports, 'olivia');
    const elsewhere = await connected(webMemberApp, 'sam', schools.summit);
    setSam(undefined);
    await use(tokens, code);
    expect(ended()).toEqual([
      expect.objectContaining({ reason: 'person_gone', memberId: 'sam', siteId: 'harbour', connections: 2 }),
    ]);
    setSam(sunny);
    expect(await connections()).toEqual([]);
    for (const { access, refreshToken } of [tokens, other]) {
      expect((await userinfo(schools.harbour, access)).status).toBe(401);
      expectError(await refresh(schools.harbour, memberApp, refreshToken), 400, 'invalid_grant');
    }
    expectError(await exchange(code), 400, 'invalid_grant');
    // Another person, and the same id at another school, keep what they have.
    expect((await userinfo(schools.harbour, olivia.access)).status).toBe(200);
    expect((await userinfo(schools.summit, elsewhere.access)).status).toBe(200);
    expect(schools.faults).toEqual([]);
  });

  test('of somebody without roles ends nothing: it is refused, and works again once there is a role', async () => {
    const tokens = await connected();
    const code = await getCode(schools.browser('sam'), schools.harbour, memberApp);
    setSam({ ...sam, roles: [] });
    await use(tokens, code);
    expect((await userinfo(schools.harbour, tokens.access)).status).toBe(401);
    expect(ended()).toEqual([]);
    setSam(sam);
    expect((await userinfo(schools.harbour, tokens.access)).status).toBe(200);
    expect((await refresh(schools.harbour, memberApp, tokens.refreshToken)).status).toBe(200);
    expect((await exchange(code)).status).toBe(200);
  });

  test.each<[string, FindMember]>([
    ['an error', () => Promise.reject(new Error('the database is away'))],
    ['something else than a member', JSON.parse('0', () => () => 'sam')],
    ['another member', () => ({ ...sam, id: 'olivia' })],
  ])('that meets %s of the platform ends nothing', async (_what, broken) => {
    const tokens = await connected();
    const code = await getCode(schools.browser('sam'), schools.harbour, memberApp);
    findMember = () => broken;
    await use(tokens, code);
    findMember = undefined;
    expect(ended()).toEqual([]);
    expect((await userinfo(schools.harbour, tokens.access)).status).toBe(200);
    expect((await refresh(schools.harbour, memberApp, tokens.refreshToken)).status).toBe(200);
    expect((await exchange(code)).status).toBe(200);
    expect(schools.faults.length).toBeGreaterThan(0);
  });
});

test('an id that somebody else has got between two answers of the platform keeps what they have connected', async () => {
  const tokens = await connected();
  let asked = 0;
  // The first answer was on its way when the id was given to somebody else.
  findMember = (find) => (site, id) => ((asked += 1) === 1 ? undefined : find(site, id));
  expect((await userinfo(schools.harbour, tokens.access)).status).toBe(401);
  expect([asked, ended()]).toEqual([2, []]);
  expect(await connections()).toHaveLength(1);
});

test('several uses at once report one end', async () => {
  const tokens = await connected();
  setSam(undefined);
  await Promise.all(Array.from({ length: 5 }, () => userinfo(schools.harbour, tokens.access)));
  expect(ended()).toHaveLength(1);
});

test('Activity tells it without a name: the id can be that of somebody else by then', async () => {
  const tokens = await connected();
  setSam(undefined);
  await userinfo(schools.harbour, tokens.access);
  setSam(sunny);
  const page = await schools.browser('olivia').follow(`${schools.harbour}/developers/apps/activity?all=yes`);
  const { text } = readPage(page.html);
  expect(text).toContain('One app was disconnected from a person who is no longer at the school');
});

test('a person whom the platform knows costs no further call', async () => {
  const { store, calls } = countedStore();
  const started = await startSchools({ campus: { store } });
  const { body } = await connect(started.browser('sam'), started.harbour, memberApp);
  calls.length = 0;
  await userinfo(started.harbour, body['access_token']);
  await started.close();
  expect(calls).toEqual(['find']);
});
