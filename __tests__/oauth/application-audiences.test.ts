import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import { type Applications, InvalidApplication, type NewApplication, type Scope, type Site } from '../../lib/index.ts';
import type { Store } from '../../lib/store.ts';
import { connect, type TestClient, userinfo } from '../helpers/flow.ts';
import { expectError } from '../helpers/responses.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';

let schools: Schools;
let store: Store;
let applications: Applications;
beforeEach(async () => {
  store = memoryStore();
  schools = await startSchools({ campus: { store } });
  ({ applications } = schools.campus);
});
afterEach(() => schools.close());

const at = (): Site => harbourSite(schools.harbour);

const chat = {
  audience: 'operator',
  clientName: 'School Chat',
  redirectUris: ['https://chat.school.example/callback'],
  scopes: ['openid', 'courses:read', 'courses:write'],
  confidential: false,
} as const satisfies NewApplication;

const create = async (change: Partial<NewApplication> = {}): Promise<string> =>
  (await applications.create(at(), { ...chat, ...change })).application.clientId;

describe('the audience of an application', () => {
  test('is member unless it is given, and both kinds are listed with theirs', async () => {
    const { audience: _audience, ...timer } = { ...chat, scopes: ['openid', 'account:read'] } as const;
    const { application } = await applications.create(at(), timer);
    expect(application.audience).toBe('member');
    const id = await create();
    const listed = await applications.list(at());
    expect(Object.fromEntries(listed.map(({ clientId, audience }) => [clientId, audience]))).toEqual({
      [application.clientId]: 'member',
      [id]: 'operator',
    });
  });

  test('stays as it is when the application is updated or gets a new secret', async () => {
    const id = await create({ confidential: true });
    const changes: Partial<NewApplication> = { audience: 'member', clientName: 'Chat 2' };
    expect(await applications.update(at(), id, changes)).toMatchObject({
      audience: 'operator',
      clientName: 'Chat 2',
    });
    const toAccount: Partial<NewApplication> = { audience: 'member', scopes: ['openid', 'account:read'] };
    await expect(applications.update(at(), id, toAccount)).rejects.toThrow(
      'scopes "account:read" is reserved for member clients',
    );
    expect((await applications.rotateSecret(at(), id)).application.audience).toBe('operator');
    expect(await applications.find(at(), id)).toMatchObject({ audience: 'operator', scopes: chat.scopes });
  });

  test('operator: the application keeps its connections when renamed, and loses them with a scope', async () => {
    const id = await create();
    const client: TestClient = { id, redirectUri: chat.redirectUris[0], scope: chat.scopes.join(' ') };
    const { body } = await connect(schools.browser('olivia'), schools.harbour, client);
    await applications.update(at(), id, { clientName: 'Chat 2', scopes: [...chat.scopes, 'orders:read'] });
    expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(200);
    await applications.update(at(), id, { scopes: ['openid', 'courses:read'] });
    expectError(await userinfo(schools.harbour, body['access_token']), 401, 'invalid_token');
  });

  test('is member for a stored application that names none', async () => {
    const record = {
      v: 1,
      client_id: 'app-old',
      client_name: 'Old',
      application_type: 'web',
      redirect_uris: ['https://old.example/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: 'openid account:read',
      client_id_issued_at: 1,
      campus_source: 'application',
    };
    await store.save('harbour', { kind: 'Client', id: 'app-old', record: JSON.stringify(record), listed: true });
    expect(await applications.find(at(), 'app-old')).toMatchObject({ audience: 'member' });
    const client = { id: 'app-old', redirectUri: 'https://old.example/callback', scope: record.scope };
    const tokens = await connect(schools.browser('sam'), schools.harbour, client);
    expect(tokens.body['scope']).toBe(record.scope);
    expect(await schools.campus.connections.list(at(), 'sam')).toMatchObject([{ audience: 'member' }]);
    const toCourses = applications.update(at(), 'app-old', { scopes: ['openid', 'courses:read'] });
    await expect(toCourses).rejects.toThrow('scopes "courses:read" is reserved for operator clients');
  });
});

describe('campus.applications.create refuses', () => {
  const scopes = (...values: Scope[]): Partial<NewApplication> => ({ scopes: values });

  test.each<[string, Partial<NewApplication>, object]>([
    [
      'account:read for operators',
      scopes('openid', 'account:read', 'courses:read'),
      { field: 'scopes', value: 'account:read', reason: 'is reserved for member clients' },
    ],
    [
      'a scope of the Admin API for members',
      { audience: 'member', ...scopes('openid', 'courses:read') },
      { field: 'scopes', value: 'courses:read', reason: 'is reserved for operator clients' },
    ],
    [
      'a scope of the Admin API without an audience',
      { audience: undefined, ...scopes('openid', 'courses:read') },
      { field: 'scopes', value: 'courses:read', reason: 'is reserved for operator clients' },
    ],
    [
      'an audience that does not exist',
      JSON.parse('{"audience":"admin"}'),
      { field: 'audience', code: 'unusable', reason: 'is neither member nor operator' },
    ],
    ['the audience null', JSON.parse('{"audience":null}'), { field: 'audience' }],
    ['the audience of a prototype', JSON.parse('{"audience":"__proto__"}'), { field: 'audience' }],
  ])('%s, and says so', async (_name, change, problem) => {
    const error: unknown = await create(change).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(InvalidApplication);
    expect(error).toMatchObject({ error: 'invalid_client_metadata', problems: [problem] });
    expect(await applications.list(at())).toEqual([]);
  });
});
