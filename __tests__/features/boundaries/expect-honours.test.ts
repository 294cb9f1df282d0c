import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { memberApi } from '../../../lib/member/index.ts';
import { expectHonours, issueTokens } from '../../../lib/testing/index.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { callTool } from '../../mcp/rpc.ts';
import { Classes, limited, tools, withClasses } from './limited-schools.ts';

let schools: Schools;
beforeAll(async () => {
  const classes = new Classes();
  const typeDefs = `extend type Viewer {
    honest: [String!]! @requiresScopes(scopes: ["courses:read"], honours: ["class"])
    careless: [String!]! @requiresScopes(scopes: ["courses:read"], honours: ["class"])
  }`;
  const resolvers = {
    Viewer: {
      honest: (_viewer: unknown, _args: unknown, { token }: { token: { limitTo(type: string): unknown } }) =>
        token.limitTo('class') ?? ['c1', 'c77'],
      careless: () => ['c1', 'c77'],
    },
  };
  schools = await startSchools({
    campus: { ...withClasses(classes), memberApi: memberApi({ typeDefs, resolvers }) },
    mcp: { tools },
  });
});
afterAll(() => schools.close());

const request = () => ({
  site: schools.harbour,
  memberId: 'olivia',
  clientId: limited.id,
  scopes: ['openid', 'courses:read'],
  type: 'class',
  item: 'c1',
});
const field = (name: string) => (token: string) =>
  fetch(`${schools.harbour}/member/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: `{ viewer { ${name} } }` }),
  });

test('expectHonours passes what filters, and fails what does not', async () => {
  await expectHonours(schools.campus, { ...request(), hidden: 'c77', call: field('honest') });
  await expect(expectHonours(schools.campus, { ...request(), hidden: 'c77', call: field('careless') })).rejects.toThrow(
    '"c77" is in the result for a client that is limited to class "c1": filter by token.limitTo("class")',
  );
  const tool = async (token: string) => (await callTool(schools.harbour, 'list_courses', {}, { token })).body;
  await expectHonours(schools.campus, { ...request(), hidden: '\\"all\\"', call: tool });
});

test('expectHonours reads the response of fetch where a framework has replaced the global class', async () => {
  const { Response } = globalThis;
  globalThis.Response = class extends Response {};
  try {
    await expectHonours(schools.campus, { ...request(), hidden: 'c77', call: field('honest') });
  } finally {
    globalThis.Response = Response;
  }
});

test('expectHonours says when it proves nothing, and when the call does not honour at all', async () => {
  const { campus } = schools;
  await expect(expectHonours(campus, { ...request(), hidden: 'c99', call: field('honest') })).rejects.toThrow(
    'hidden must be in the result without a limit, but "c99" is not',
  );
  const statistics = async (token: string) =>
    new Response(null, { status: (await callTool(schools.harbour, 'statistics', {}, { token })).status });
  const call = async (token: string): Promise<unknown> => {
    const response = await statistics(token);
    return response.ok ? 'c77' : response;
  };
  await expect(expectHonours(campus, { ...request(), hidden: 'c77', call })).rejects.toThrow(
    'the call was refused with 403',
  );
});

test('issueTokens limits the client, and allows everything where nothing is said', async () => {
  const { type: _type, item: _item, ...tokens } = request();
  const one = await issueTokens(schools.campus, { ...tokens, only: { class: ['c1', 'c2'] } });
  expect(one.authorization_details).toEqual([{ type: 'class', identifiers: ['c1', 'c2'] }]);
  const all = await issueTokens(schools.campus, { ...tokens, only: {} });
  expect(all).not.toHaveProperty('authorization_details');
  await expect(issueTokens(schools.campus, { ...tokens, scopes: ['openid'], only: { class: ['c1'] } })).rejects.toThrow(
    'only must have types that the client can be limited to, not "class"',
  );
});
