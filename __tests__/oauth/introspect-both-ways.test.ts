import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { dpop } from '../../lib/dpop.ts';
import { EngineRequest } from '../../lib/engine/engine-request.ts';
import type { StaticClient } from '../../lib/index.ts';
import { Asking, Classes, knowing, limited, unaware, withClasses } from '../features/boundaries/limited-schools.ts';
import {
  clientFields,
  connect,
  exchange,
  getCode,
  memberApp,
  refresh,
  type TestClient,
  webMemberApp,
} from '../helpers/flow.ts';
import { holder, proofOf } from '../features/dpop/proofs.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { serviceToken, syncApp, withServices } from '../helpers/services.ts';
import { harbourSite } from '../helpers/sites.ts';

// Each request is sent as it is, and with a field that is repeated: the engine ignores that, and then it answers.

const quiz: TestClient = { ...webMemberApp, id: 'quiz', scope: 'openid' };
const pairwise: StaticClient = {
  clientId: quiz.id,
  clientName: 'Quiz',
  audience: 'member',
  redirectUris: [quiz.redirectUri],
  scopes: ['openid', 'profile'],
  clientSecret: String(quiz.secret),
  subject: 'pairwise',
};
const wrong: TestClient = { ...unaware, secret: 'guess' };
const nobody: TestClient = { ...unaware, id: 'nobody' };

let schools: Schools;
let school: TestClient;
const tokens = new Map<string, string>();
beforeAll(async () => {
  schools = await startSchools({
    campus: {
      ...withClasses(new Classes()),
      ...withServices,
      clients: [...withServices.clients, pairwise],
      clientAuthentication: ['client_secret_basic'],
      dpop: dpop(),
      pseudonyms: { key: 'a key of pseudonyms that never changes' },
    },
    platform: { acrValues: ['two'] },
    wrapPlatform: (platform) => ({
      ...platform,
      signedInMember: async (ctx, site) => {
        const session = await platform.signedInMember(ctx, site);
        return session && { ...session, acr: ctx.cookies.get('acr') };
      },
    }),
  });
  const made = await schools.campus.applications.create(harbourSite(schools.harbour), {
    clientName: 'Timer',
    redirectUris: [webMemberApp.redirectUri],
    scopes: ['openid', 'account:read'],
    audience: 'member',
    confidential: true,
  });
  const { clientId } = made.application;
  school = { ...webMemberApp, id: clientId, secret: String(made.clientSecret), scope: 'openid account:read' };
  for (const client of [webMemberApp, memberApp, quiz, school]) {
    const { body } = await connect(schools.browser('sam'), schools.harbour, client);
    tokens.set(client.id, String(body['access_token']));
  }
  const strong = schools.browser('sam');
  strong.platformCookie('acr', 'two');
  keep('signed in with two factors', (await connect(strong, schools.harbour, webMemberApp)).body);
  const asking = await new Asking(schools.browser('olivia'), schools.harbour).open();
  keep('limited', (await (await asking.limit(['c1'])).tokens()).body);
  tokens.set('service', String((await serviceToken(schools.harbour)).body['access_token']));
  const key = holder();
  const proof = () => ({ DPoP: proofOf(key, 'POST', `${schools.harbour}/api/oauth/token`) });
  const bound = await serviceToken(schools.harbour, syncApp, {}, proof());
  tokens.set('service, bound to a key', String(bound.body['access_token']));
  const code = await getCode(schools.browser('sam'), schools.harbour, webMemberApp);
  keep('bound to a key', (await exchange(code, {}, proof())).body);
  tokens.set('code', (await getCode(schools.browser('sam'), schools.harbour, memberApp)).code);
  const { body } = await connect(schools.browser('olivia'), schools.harbour, memberApp);
  tokens.set('used refresh token', String(body['refresh_token']));
  await refresh(schools.harbour, memberApp, body['refresh_token']);
  tokens
    .set('unknown', 'A'.repeat(43))
    .set('no token of ours', 'a.b.c')

    .set('__proto__', '__proto__');
});
afterAll(() => schools.close());

function keep(name: string, body: Readonly<Record<string, unknown>>): void {
  tokens.set(name, String(body['access_token'])).set(`refresh token of ${name}`, String(body['refresh_token']));
}

const callers = (): TestClient[] => [
  webMemberApp,
  memberApp,
  limited,
  quiz,
  school,
  syncApp,
  knowing,
  unaware,
  wrong,
  nobody,
];

type Way = 'form' | 'Basic';

/** What a caller is told of a token: all of the response but when it was sent. */
async function told(client: TestClient, token: string, way: Way, byEngine: boolean): Promise<unknown[]> {
  const { secret = '' } = client;
  const proof = way === 'form' ? clientFields(client) : {};
  const fields = Object.entries({ token, ...proof }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const body = new URLSearchParams([
    ...fields,
    ...(byEngine
      ? [
          ['unused', '1'],
          ['unused', '2'],
        ]
      : []),
  ]);
  const headers = way === 'Basic' ? { authorization: `Basic ${btoa(`${client.id}:${secret}`)}` } : {};
  const response = await fetch(`${schools.harbour}/api/oauth/introspect`, { method: 'POST', body, headers });
  const text = await response.text();
  const isGateway = client === knowing || client === unaware;
  // What a client learns of its own token is the same to the byte.
  return [
    response.status,
    [...response.headers].filter(([name]) => name !== 'date'),
    isGateway ? JSON.parse(text) : text,
  ];
}

const site = () => harbourSite(schools.harbour);
const person = (id: string) => schools.people['harbour']?.[id] ?? { roles: [] };

test.each<[state: string, change: () => unknown]>([
  ['nothing has changed', () => undefined],
  [
    'a member has another role, and a school lets an app view only',
    async () => {
      Object.assign(person('sam'), { roles: ['teacher'] });
      await schools.campus.apps.set(site(), { clientId: limited.id }, { access: 'view_only' });
    },
  ],
  [
    'a person has taken back a permission, and a school has blocked a client',
    async () => {
      const all = await schools.campus.connections.list(site(), 'olivia');
      const connection = all.find(({ clientId }) => clientId === limited.id);
      await schools.campus.connections.narrow(site(), 'olivia', connection?.id ?? '', ['openid']);
      await schools.campus.apps.set(site(), { clientId: webMemberApp.id }, { access: 'blocked' });
    },
  ],
  ['a member has no role', () => Object.assign(person('sam'), { roles: [] })],
  [
    'a member has left, and the school has removed an application',
    async () => {
      Reflect.deleteProperty(schools.people['harbour'] ?? {}, 'sam');
      await schools.campus.applications.remove(site(), school.id);
    },
  ],
])('the engine’s answers and those without it are the same: %s', async (_state, change) => {
  await change();
  for (const [way, clients] of [
    ['form', callers()],
    ['Basic', [knowing, school, wrong]],
  ] as const) {
    for (const client of clients) {
      for (const [name, token] of tokens) {
        const byEngine = await told(client, token, way, true);
        const plainly = await told(client, token, way, false);
        expect([name, client.id, way, plainly]).toEqual([name, client.id, way, byEngine]);
      }
    }
  }
});

test('the engine does not run for a resource server with its secret, and runs for everybody who is not accepted', async () => {
  await told(unaware, 'warm', 'form', false);
  const runs = jest.spyOn(EngineRequest.prototype, 'message');
  for (const way of ['form', 'Basic'] as const)
    for (const name of ['quiz', 'limited', 'service', 'unknown', 'refresh token of limited'])
      await told(unaware, tokens.get(name) ?? '', way, false);
  expect(runs).not.toHaveBeenCalled();
  await told(wrong, tokens.get('quiz') ?? '', 'form', false);
  expect(runs).toHaveBeenCalledTimes(1);
  const body = new URLSearchParams({
    token: tokens.get('quiz') ?? '',
    client_id: unaware.id,
    client_secret: unaware.secret ?? '',
  });
  for (const name of ['DPoP', 'OAuth-Client-Attestation']) {
    runs.mockClear();
    await fetch(`${schools.harbour}/api/oauth/introspect`, { method: 'POST', body, headers: { [name]: 'x' } });
    expect([name, runs.mock.calls.length]).toEqual([name, 1]);
  }
  runs.mockRestore();
});
