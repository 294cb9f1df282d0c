import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type MemberSchools, post, startMemberSchools, tokenOf } from './graphql.ts';

let schools: MemberSchools;
let token: string;
beforeAll(async () => {
  schools = await startMemberSchools();
  token = await tokenOf(schools, schools.harbour);
});
afterAll(() => schools.close());

// Whatever came before, the next request is served.
afterEach(async () => {
  const { status, body } = await post(schools.harbour, token, { query: '{ viewer { id } }' });
  expect([status, body]).toEqual([200, { data: { viewer: { id: 'sam' } } }]);
  expect(schools.faults).toEqual([]);
});

const times = (count: number, text: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => text(i)).join(' ');
const chain = (count: number, inside: (next: string) => string): string =>
  `{ viewer { ...F0 } } ${times(count, (i) => `fragment F${i} on Viewer { ${inside(`...F${i + 1}`)} }`)} fragment F${count} on Viewer { id }`;

/** 4xx, within the time that a test has, with nothing asked of the host. */
async function expectRefused(query: string, variables: object = {}): Promise<void> {
  schools.calls.length = 0;
  const { status, body } = await post(schools.harbour, token, { query, variables });
  expect([status, body.data, schools.calls]).toEqual([expect.any(Number), undefined, []]);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  expect(body.errors?.[0]?.message).toMatch(/\w \S/);
}

test.each<[string, string]>([
  ['1000 aliases of a leaf', `{ viewer { ${times(1000, (i) => `a${i}: id`)} } }`],
  ['1000 aliases of the viewer', `{ ${times(1000, (i) => `a${i}: viewer { id }`)} }`],
  [
    '1000 aliases of a mutation',
    `mutation { ${times(1000, (i) => `a${i}: markAllNotificationsRead { markedCount }`)} }`,
  ],
  ['31 aliases', `{ viewer { ${times(31, (i) => `a${i}: id`)} } }`],
  ['aliases in a fragment that is spread often', `{ viewer { ${'...A '.repeat(40)} } } fragment A on Viewer { a: id }`],
  ['50,000 braces', '{'.repeat(50_000)],
  ['50,000 braces that close', '{'.repeat(25_000) + '}'.repeat(25_000)],
  ['50,000 brackets in an argument', `{ viewer { enrolledCourses(first: ${'['.repeat(50_000)}`],
  ['50,000 brackets in a variable’s type', `query ($a: ${'['.repeat(50_000)}`],
  ['900 fields in fields', `{ viewer ${'{ a '.repeat(900)}{ id }${'}'.repeat(901)}`],
  ['300 inline fragments in each other', `{ viewer ${'{ ... '.repeat(300)}{ id }${'}'.repeat(301)}`],
  ['200 fragments in a chain', chain(200, (next) => next)],
  ['150 fragments in a chain, each twice', chain(150, (next) => `${next} ${next}`)],
  [
    'fragments in a ring',
    `{ viewer { ...F0 } } ${times(200, (i) => `fragment F${i} on Viewer { ...F${(i + 1) % 200} }`)}`,
  ],
  ['1000 times the same field', `{ viewer { ${'name '.repeat(1000)} } }`],
  ['500 directives on a field', `{ viewer { id ${'@include(if: true) '.repeat(280)} } }`],
  ['directives that are not there', `{ viewer { id ${'@a '.repeat(900)} } }`],
  ['a page of a billion', '{ viewer { enrolledCourses(first: 1000000000) { totalCount } } }'],
  ['a page of a number without end', `{ viewer { enrolledCourses(first: ${'9'.repeat(5000)}) { totalCount } } }`],
  ['a page of less than nothing', '{ viewer { enrolledCourses(first: -1) { totalCount } } }'],
  [
    'eleven pages of a hundred',
    `{ viewer { ${times(11, (i) => `a${i}: digitalProducts(first: 100) { totalCount }`)} } }`,
  ],
  ['thirty inboxes', `{ ${times(30, (i) => `a${i}: viewer { notifications(first: 100) { nodes { id } } }`)} }`],
])('%s: refused with 4xx', async (_what, query) => {
  await expectRefused(query);
});

test('a page of a billion in a variable: refused with 4xx', async () => {
  await expectRefused('query ($n: Int!) { viewer { enrolledCourses(first: $n) { totalCount } } }', { n: 1e9 });
});

describe('bodies', () => {
  const send = (body: BodyInit, headers: Record<string, string> = {}): Promise<Response> => {
    const init = {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body,
      duplex: 'half',
    } as const;
    return fetch(`${schools.harbour}/member/graphql`, init);
  };

  test('of 20 MiB with a length: 413 before it is read', async () => {
    expect((await send(Buffer.alloc(20 * 1024 * 1024, 0x20))).status).toBe(413);
  });

  test('of 20 MiB without a length: 413, and what comes is not kept', async () => {
    const before = process.memoryUsage().rss;
    let left = 20 * 1024;
    const body = new ReadableStream({
      pull: (controller) => {
        left -= 1;
        if (left >= 0) controller.enqueue(new Uint8Array(1024).fill(0x20));
        else controller.close();
      },
    });
    const status = await send(body).then(
      (response) => response.status,
      () => 'closed',
    );
    expect([413, 'closed']).toContain(status);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  });

  test.each([
    ['a list of 1000 requests', JSON.stringify(Array.from({ length: 1000 }, () => ({ query: '{viewer{id}}' })))],
    ['30,000 brackets', '['.repeat(30_000) + ']'.repeat(30_000)],
    ['brackets in variables', `{"query":"{viewer{id}}","variables":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
    ['bytes that are no text', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
  ])('with %s: 400', async (_what, body) => {
    expect((await send(body)).status).toBe(400);
  });

  test('with 30,000 brackets in a variable that is used: refused in GraphQL’s words', async () => {
    const query = 'query ($n: Int!) { viewer { enrolledCourses(first: $n) { totalCount } } }';
    const body = `{"query":${JSON.stringify(query)},"variables":{"n":${'['.repeat(30_000)}${']'.repeat(30_000)}}}`;
    const response = await send(body, { accept: 'application/graphql-response+json' });
    expect(response.status).toBe(400);
    expect((await response.text()).length).toBeLessThan(2000);
  });
});

test('what was sent wrongly does not come back whole', async () => {
  const query = 'query ($id: ID!) { viewer { id } } mutation { markNotificationRead(id: $id) { notification { id } } }';
  const variables = { first: 'x'.repeat(50_000) };
  const wrong = {
    query: 'query ($first: Int!) { viewer { enrolledCourses(first: $first) { totalCount } } }',
    variables,
  };
  for (const body of [wrong, { query, operationName: 'y'.repeat(50_000) }]) {
    const { status, body: result } = await post(schools.harbour, token, body, {
      accept: 'application/graphql-response+json',
    });
    expect([status, JSON.stringify(result).length < 2000]).toEqual([400, true]);
  }
});
