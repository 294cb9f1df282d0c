import { afterEach, describe, expect, test } from '@jest/globals';
import {
  type Changes,
  type Code,
  exchange,
  getCode,
  type JsonResponse,
  memberApp,
  reports,
  userinfo,
  webMemberApp,
} from '../helpers/flow.ts';
import { expectError } from '../helpers/responses.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { countedStore } from '../helpers/stores.ts';

const { store, calls } = countedStore();

let schools: Schools;
afterEach(() => schools.close());

const clients = [
  ['sam', memberApp],
  ['sam', webMemberApp],
  ['olivia', reports],
] as const;

describe.each(clients)('%s with $id', (person, client) => {
  test.each([[undefined], ['']])('redeems a code with redirect_uri=%s', async (redirect_uri) => {
    schools = await startSchools();
    const { status, body } = await exchange(await getCode(schools.browser(person), schools.harbour, client), {
      redirect_uri,
    });
    expect(status).toBe(200);
    expect((await userinfo(schools.harbour, body['access_token'])).body).toMatchObject({ sub: person });
  });

  test('asks the store for no more than with it', async () => {
    schools = await startSchools({ campus: { store } });
    const callsOf = async (changes: Changes): Promise<string[]> => {
      const code = await getCode(schools.browser(person), schools.harbour, client);
      calls.length = 0;
      expect((await exchange(code, changes)).status).toBe(200);
      return calls.toSorted();
    };
    await callsOf({});
    const sent = await callsOf({});
    expect(await callsOf({ redirect_uri: undefined })).toEqual(sent);
  });

  test('redeems it once, and proves nothing without the verifier', async () => {
    schools = await startSchools();
    const code = await getCode(schools.browser(person), schools.harbour, client);
    const leftOut = { redirect_uri: undefined };
    expectError(await exchange(code, { ...leftOut, code_verifier: undefined }), 400, 'invalid_grant');
    expectError(await exchange(code, { ...leftOut, code_verifier: 'a'.repeat(43) }), 400, 'invalid_grant');
    expectError(await exchange(code, { redirect_uri: `${client.redirectUri}/` }), 400, 'invalid_grant');
    expect((await exchange(code, leftOut)).status).toBe(200);
    expectError(await exchange(code, leftOut), 400, 'invalid_grant');
  });

  test('is told that a code is unknown, or of another client', async () => {
    schools = await startSchools();
    const code = await getCode(schools.browser(person), schools.harbour, client);
    const leftOut = { redirect_uri: undefined };
    const [other] = clients.filter(([, each]) => each !== client);
    const wrong: [code: Code, changes: Changes, text: string][] = [
      [code, { code: 'A'.repeat(43) }, 'unknown'],
      [{ ...code, client: other?.[1] ?? client }, {}, 'issued to another client'],
    ];
    for (const [sent, changes, text] of wrong) {
      const response = await exchange(sent, { ...leftOut, ...changes });
      expectError(response, 400, 'invalid_grant');
      expect(response.body['error_description']).toContain(text);
    }
    expect((await exchange(code, leftOut)).status).toBe(200);
  });
});

test('a code without a challenge needs redirect_uri, byte for byte', async () => {
  const plain: typeof store = {
    ...store,
    save: (siteId, entry) =>
      store.save(siteId, {
        ...entry,
        record: entry.kind === 'AuthorizationCode' ? withoutChallenge(entry.record) : entry.record,
      }),
  };
  schools = await startSchools({ campus: { store: plain } });
  const code = await getCode(schools.browser('olivia'), schools.harbour, reports);
  const send = (redirect_uri: string | undefined): Promise<JsonResponse> =>
    exchange(code, { redirect_uri, code_verifier: undefined });
  for (const left of [undefined, '']) {
    const response = await send(left);
    expectError(response, 400, 'invalid_request');
    expect(response.body['error_description']).toContain('redirect_uri');
  }
  for (const wrong of [
    'HTTPS://reports.example/callback',
    'https://reports.example:443/callback',
    `${reports.redirectUri}/`,
    `${reports.redirectUri}?`,
  ]) {
    expectError(await send(wrong), 400, 'invalid_grant');
  }
  expect((await send(reports.redirectUri)).status).toBe(200);
});

function withoutChallenge(record: string): string {
  const { codeChallenge: _challenge, codeChallengeMethod: _method, ...rest } = JSON.parse(record);
  return JSON.stringify(rest);
}
