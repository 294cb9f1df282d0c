import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Applications, InvalidApplication, type NewApplication, type Scope, type Site } from '../../lib/index.ts';
import { connect, type TestClient, userinfo } from '../helpers/flow.ts';
import { expectError } from '../helpers/responses.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';

let schools: Schools;
let applications: Applications;
beforeEach(async () => {
  schools = await startSchools();
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
