import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { UnsecuredJWT } from 'jose';
import { memoryStore } from '../../adapters/memory/index.ts';
import type { AuditEvent, StaticClient } from '../../lib/index.ts';
import type { Store } from '../../lib/store.ts';
import {
  type AssertionChanges,
  assertion,
  type ClientKey,
  clientKey,
  keyFields,
  now,
  serviceTokenWith,
} from '../helpers/client-keys.ts';
import { type Changes, connect, exchange, getCode, type JsonResponse, postForm, refresh } from '../helpers/flow.ts';
import { expectError } from '../helpers/responses.ts';
import { type Schools, type SchoolsOptions, startSchools } from '../helpers/schools.ts';
import { serviceToken, sync, syncApp, withServices } from '../helpers/services.ts';
import { breakableStore, countedStore } from '../helpers/stores.ts';

let keys: Readonly<Record<'EdDSA' | 'ES256' | 'PS256' | 'RS256' | 'other' | 'small', ClientKey>>;
beforeAll(async () => {
  const [EdDSA, ES256, PS256, RS256, other, small] = await Promise.all([
    clientKey('EdDSA', 'ed'),
    clientKey('ES256', 'ec'),
    clientKey('PS256', 'ps'),
    clientKey('RS256', 'rs'),
    clientKey('ES256', 'ec'),
    clientKey('RS256', 'small', 2048),
  ]);
  keys = { EdDSA, ES256, PS256, RS256, other, small };
});

let schools: Schools;
let events: AuditEvent[];
afterEach(() => schools.close());

const robot = { id: 'robot', redirectUri: 'https://robot.example/callback', scope: 'openid profile courses:read' };

function clients(): StaticClient[] {
  const { EdDSA, ES256, PS256, RS256, other } = keys;
  const service = { clientName: 'Keyed', audience: 'service', redirectUris: [], scopes: ['courses:read'] } as const;
  return [
    ...withServices.clients,
    {
      ...service,
      clientId: 'keyed',
      publicKeys: { keys: [EdDSA, ES256, PS256, RS256].map(({ publicJwk }) => publicJwk) },
    },
    { ...service, clientId: 'another', publicKeys: { keys: [other.publicJwk] } },
    {
      clientId: robot.id,
      clientName: 'Robot',
      audience: 'operator',
      redirectUris: [robot.redirectUri],
      scopes: ['openid', 'profile', 'courses:read'],
      publicKeys: { keys: [ES256.publicJwk] },
      resourceServer: true,
    },
  ];
}

async function start(campus: SchoolsOptions['campus'] = {}): Promise<void> {
  events = [];
  const options = { ...withServices, clients: clients(), clientAuthentication: ['private_key_jwt'] } as const;
  schools = await startSchools({ campus: { ...options, ...campus } });
  schools.campus.events.on('audit', (event) => events.push(event));
}

const fields = (changes?: AssertionChanges, key = keys.ES256, client = 'keyed'): Promise<Changes> =>
  keyFields(client, schools.harbour, key, changes);

const ask = async (changes?: AssertionChanges, key?: ClientKey, client?: string): Promise<JsonResponse> =>
  serviceTokenWith(schools.harbour, await fields(changes, key, client));

describe('private_key_jwt', () => {
  test.each(['EdDSA', 'ES256', 'PS256', 'RS256'] as const)('authenticates with %s', async (alg) => {
    await start();
    const { status, body } = await ask({}, keys[alg]);
    expect([status, body['scope']]).toEqual([200, 'courses:read']);
    expect(events).toMatchObject([{ action: 'token.issued', actor: { kind: 'client', id: 'keyed' } }]);
  });

  test.each<[what: string, changes: () => AssertionChanges]>([
    ['the token endpoint as audience', () => ({ claims: { aud: `${schools.harbour}/api/oauth/token` } })],
    ['one audience in an array', () => ({ claims: { aud: [schools.harbour] } })],
    ['an hour to live', () => ({ claims: { exp: now() + 3600 } })],
    ['the type of RFC 7523bis', () => ({ header: { typ: 'client-authentication+jwt' } })],
  ])('takes %s', async (_what, changes) => {
    await start();
    expect((await ask(changes())).status).toBe(200);
  });

  test('takes an assertion without kid where there is one key', async () => {
    await start();
    expect((await ask({ header: { kid: undefined } }, keys.other, 'another')).status).toBe(200);
    expectError(await ask({ header: { kid: undefined } }), 401, 'invalid_client', 'several keys');
  });
});
