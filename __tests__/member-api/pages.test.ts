import { describe, expect, test } from '@jest/globals';
import { AsSam } from './as-sam.ts';
import { codesOf } from './graphql.ts';

const sam = new AsSam();
const { ask } = sam;

describe('pages', () => {
  test('have 20 nodes unless asked otherwise, and lead from one to the next', async () => {
    const seen: string[] = [];
    let after: string | undefined;
    for (let page = 0; page < 3; page += 1) {
      const query = `query ($after: String) {
        viewer { enrolledCourses(after: $after) { nodes { slug } pageInfo { hasNextPage endCursor } totalCount } }
      }`;
      const { body } = await ask(query, { after });
      const { nodes, pageInfo, totalCount } = Object(body.data).viewer.enrolledCourses;
      seen.push(...nodes.map(({ slug }: { slug: string }) => slug));
      expect([totalCount, nodes.length]).toEqual([25, [20, 5][page]]);
      expect(pageInfo.hasNextPage).toBe(page === 0);
      after = pageInfo.endCursor;
      if (!pageInfo.hasNextPage) break;
    }
    expect(new Set(seen).size).toBe(25);
  });

  test.each([0, -1, 101, 1_000_000_000, 2_147_483_648, -2_147_483_649])('of %i nodes are refused', async (first) => {
    const written = await ask(`{ viewer { enrolledCourses(first: ${first}) { totalCount } } }`);
    const variable = await ask('query ($n: Int!) { viewer { enrolledCourses(first: $n) { totalCount } } }', {
      n: first,
    });
    const fallback = await ask(`query ($n: Int! = ${first}) { viewer { enrolledCourses(first: $n) { totalCount } } }`);
    // What is no Int at all is refused by GraphQL itself, where it stands as a default.
    const isInt = Math.abs(first) < 2 ** 31;
    for (const response of isInt ? [written, variable, fallback] : [written, variable]) {
      expect([response.status, codesOf(response), response.body.data]).toEqual([400, ['BAD_USER_INPUT'], undefined]);
      expect(response.body.errors?.[0]?.message).toBe(`first must be 1 to 100, not ${first}`);
    }
    expect(sam.schools.calls).toEqual([]);
  });

  test.each([1, 100])('of %i nodes are served', async (first) => {
    const response = await ask('query ($n: Int!) { viewer { enrolledCourses(first: $n) { totalCount } } }', {
      n: first,
    });
    expect(response.body.errors).toBeUndefined();
    expect(sam.schools.calls[0]?.args).toEqual([{ first }]);
  });

  test.each<[unknown]>([['5'], [1.5], [null], [{}], [[[]]]])('of %j nodes never reach the host', async (first) => {
    const response = await ask('query ($n: Int!) { viewer { enrolledCourses(first: $n) { totalCount } } }', {
      n: first,
    });
    expect([codesOf(response), response.body.data]).toEqual([['BAD_USER_INPUT'], undefined]);
    expect(sam.schools.calls).toEqual([]);
  });

  test('whose cursor is not the host’s are refused with the host’s words', async () => {
    const response = await ask('{ viewer { id enrolledCourses(after: "!") { totalCount } } }');
    expect(response.body).toMatchObject({
      data: { viewer: { id: 'sam', enrolledCourses: null } },
      errors: [{ message: 'after is no cursor of this list', path: ['viewer', 'enrolledCourses'] }],
    });
    expect(codesOf(response)).toEqual(['BAD_USER_INPUT']);
    expect(sam.schools.faults).toEqual([]);
  });

  test('whose cursor is endless never reach the host', async () => {
    const response = await ask('query ($after: String) { viewer { enrolledCourses(after: $after) { totalCount } } }', {
      after: '1'.repeat(2000),
    });
    expect(codesOf(response)).toEqual(['BAD_USER_INPUT']);
    expect(sam.schools.calls).toEqual([]);
  });
});
