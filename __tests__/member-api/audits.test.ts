import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { serverAudits } from 'graphql-http';
import { type MemberSchools, startMemberSchools, tokenOf } from './graphql.ts';

let schools: MemberSchools;
let token: string;
beforeAll(async () => {
  schools = await startMemberSchools();
  token = await tokenOf(schools, schools.harbour);
});
afterAll(() => schools.close());

/** With the token, and whatever else an audit sends. */
const withToken = (url: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url, {
    ...init,
    headers: { ...Object.fromEntries(new Headers(init.headers)), authorization: `Bearer ${token}` },
  });

const audits = serverAudits({ url: () => `${schools.harbour}/member/graphql`, fetchFn: withToken });

/** What a server may do, and this one does not: the specification has POST alone. */
const queriesOverGet = ['5A70', 'D6D5', '6A70'];

test('there are 61 audits', () => {
  expect(audits).toHaveLength(61);
});

test.each(audits.map((audit) => [audit.id, audit.name, audit] as const))('%s %s', async (id, name, audit) => {
  const result = await audit.fn();
  if (!queriesOverGet.includes(id)) return expect(result).toMatchObject({ status: 'ok' });
  expect(name).toMatch(/^MAY .*GETs?\b/);
  expect(result).toMatchObject({ status: 'notice', response: { status: 405 } });
});
