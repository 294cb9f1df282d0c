import assert from 'node:assert/strict';
import type { StaticClient, Scope } from '../../../lib/index.ts';
import { standardScopes } from '../../helpers/scopes.ts';
import { connect, introspect, type TestClient } from '../../helpers/flow.ts';
import { getJson, metadata, request, texts } from '../probes.ts';
import type { CheckContext, Row } from '../row.ts';

/** The specification's catalogue, independent of `lib`: id of the row, scope. */
const catalogue = [
  ['b170', 'openid'],
  ['562a', 'profile'],
  ['0941', 'email'],
  ['14df', 'courses:read'],
  ['d8a8', 'courses:write'],
  ['6ea4', 'students:read'],
  ['7d9c', 'students:write'],
  ['8b6b', 'members:read'],
  ['5de3', 'members:write'],
  ['d509', 'analytics:read'],
  ['0d03', 'curriculum:read'],
  ['fd5a', 'curriculum:write'],
  ['5f51', 'orders:read'],
  ['76c7', 'school:read'],
  ['d341', 'school:write'],
  ['cabe', 'appearance:read'],
  ['3e9d', 'appearance:write'],
  ['2ae8', 'events:read'],
  ['a2f3', 'events:write'],
  ['faaf', 'membership_plans:read'],
  ['3ec9', 'membership_plans:write'],
  ['915d', 'coupons:read'],
  ['32ff', 'coupons:write'],
  ['5d3c', 'posts:read'],
  ['0fbb', 'posts:write'],
  ['5a61', 'subscriptions:read'],
  ['8bb8', 'subscriptions:write'],
  ['9c19', 'digital_products:read'],
  ['fc80', 'digital_products:write'],
  ['42f8', 'comments:read'],
  ['d066', 'lecturers:read'],
  ['7789', 'lecturers:write'],
  ['a4a3', 'storage:write'],
  ['c23f', 'forms:read'],
  ['8f95', 'pages:read'],
  ['4fe5', 'pages:write'],
  ['4b0b', 'account:read'],
  ['5850', 'account:write'],
] as const;

const names = catalogue.map(([, scope]) => scope);

/** The areas of the Admin API that the specification names. */
const areas = [
  'courses',
  'students',
  'members',
  'analytics',
  'curriculum',
  'orders',
  'school',
  'appearance',
  'events',
  'membership plans',
  'coupons',
  'posts',
  'subscriptions',
  'digital products',
  'comments',
  'lecturers',
  'storage',
  'forms',
  'pages',
  'account',
];

const client: TestClient = { id: 'one', redirectUri: 'https://one.example/callback', secret: 'the-secret', scope: '' };

/** A client that may request this scope only. */
function clientFor(scope: Scope): StaticClient {
  return {
    clientId: client.id,
    clientName: 'One scope',
    audience: scope === 'account:read' ? 'member' : 'operator',
    redirectUris: [client.redirectUri],
    scopes: [scope],
    clientSecret: 'the-secret',
  };
}

/** What the page says of scopes that nobody is asked about. */
const alwaysSeen: ReadonlyMap<string, string> = new Map([
  ['openid', 'your member id and roles'],
  ['profile', 'your picture'],
  ['email', 'your email address'],
]);

async function isGranted({ start }: CheckContext, scope: Scope): Promise<void> {
  const { harbour, browser } = await start({ campus: { clients: [clientFor(scope)] } });
  const changes = { scope, nonce: undefined };
  const { html } = await request(browser('olivia'), harbour, client, changes);
  const text = alwaysSeen.get(scope) ?? standardScopes.row(scope)?.text ?? 'no text';
  assert.ok(html.toLowerCase().includes(text.slice(0, 20).toLowerCase()), `the consent page shows: ${text}`);
  const { body } = await connect(browser('olivia'), harbour, client, changes);
  assert.equal(body['scope'], scope);
  assert.equal((await introspect(harbour, client, body['access_token'])).body['scope'], scope);
}

/** The scope catalogue. */
export const scopes: readonly Row[] = [
  {
    id: '2142',
    section: 'Resources: Admin-API resources',
    sentence: 'MUST cover every area of the Admin API in the scope catalogue, and no other',
    check: async ({ start }) => {
      const { harbour } = await start();
      const listed = texts((await metadata(harbour))['scopes_supported']).filter((scope) => scope.includes(':'));
      const named = new Set(listed.map((scope) => scope.slice(0, scope.indexOf(':')).replaceAll('_', ' ')));
      assert.deepEqual([...named].sort(), areas.toSorted());
    },
  },
  {
    id: '4ada',
    section: 'Scopes',
    sentence: 'MUST list every scope of the catalogue and no other',
    check: async ({ start }) => {
      const { harbour } = await start();
      for (const name of ['openid-configuration', 'oauth-authorization-server']) {
        const { body } = await getJson(`${harbour}/.well-known/${name}`);
        assert.deepEqual(texts(body['scopes_supported']), names.toSorted());
      }
    },
  },
  ...catalogue.map(([id, scope]): Row => ({
    id,
    section: 'Scopes',
    sentence: `MUST exist and be granted after consent: \`${scope}\``,
    check: (ctx) => isGranted(ctx, scope),
  })),
];
