import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { memberApp, reports } from '../helpers/flow.ts';
import { type Schools, type SchoolsOptions, startSchools } from '../helpers/schools.ts';
import { breakableStore } from '../helpers/stores.ts';
import { accessToken } from '../mcp/rpc.ts';
import { authorizeRows } from './authorize-requests.ts';
import { everything } from './configurations.ts';
import { answered, expectDescribed, expectValid } from './described.ts';
import { describedOperations, readDescription } from './description.ts';
import { type Row, rows, type TokenOf, type World } from './requests.ts';
import { toolRows } from './tool-requests.ts';

const nothing = { perAddress: 0, perSite: 0 };
const noLimitLeft = {
  registrations: nothing,
  documents: nothing,
  anonymousCalls: nothing,
  tokenCalls: { perMember: 0 },
};
const full = everything();
const away = breakableStore();

const settings: readonly [World, SchoolsOptions][] = [
  ['as usual', full],
  [
    'whose platform cannot say which school it is',
    { ...full, platform: { findSite: () => Promise.reject(new Error('database away')) } },
  ],
  [
    'whose platform answers nonsense',
    {
      ...full,
      platform: { findSite: () => ({ id: 'x', origin: 'https://x.example', name: 'x', connectionsEnabled: true }) },
    },
  ],
  ['whose store is away', { ...full, campus: { ...full.campus, store: away.store } }],
  ['whose limits are spent', { ...full, campus: { ...full.campus, limits: noLimitLeft } }],
];

const started = new Map<World, Schools>();
for (const [world, options] of settings) started.set(world, await startSchools(options));
away.break('find', 'save');

function schoolIn(world: World = 'as usual'): Schools {
  const schools = started.get(world);
  if (!schools) throw new Error(world);
  return schools;
}

const usual = schoolIn();
const description = await readDescription(usual.harbour);
const operations = describedOperations(description);
const seen = new Set<string>();
const tokens: Record<TokenOf, string> = { member: '', operator: '', bare: '', nobody: 'x'.repeat(43) };

beforeAll(async () => {
  tokens.member = await accessToken(usual, 'sam', memberApp);
  tokens.operator = await accessToken(usual, 'olivia', reports);
  tokens.bare = await accessToken(usual, 'olivia', reports, 'courses:read');
});
afterAll(() => Promise.all([...started.values()].map((schools) => schools.close())));

/** Sends a request to a school; whatever is answered must be described at this place. */
async function send(
  { world, path, query, method }: Pick<Row, 'world' | 'path' | 'query'> & { readonly method: string },
  init: RequestInit = {},
  describedAs = method,
): Promise<{ status: number; headers: Headers; body: unknown }> {
  const url = new URL(path, schoolIn(world).harbour);
  if (query) url.search = new URLSearchParams(query).toString();
  const answer = await answered(await fetch(url, { ...init, method, redirect: 'manual' }));
  const { place, body } = expectDescribed(description, path, describedAs, answer);
  seen.add(place);
  return { ...answer, body };
}

const named = (row: Row) => [`${row.method} ${row.path}`, row.what, row] as const;

test.each([...rows, ...toolRows, ...authorizeRows(usual.harbour)].map(named))(
  '%s with %s is answered as the description says',
  async (_where, _what, row) => {
    const { token, headers, body: sent } = row;
    const authorization = token === undefined ? {} : { authorization: `Bearer ${tokens[token]}` };
    const bytes = sent === undefined ? null : new TextEncoder().encode(sent);
    const answer = await send(row, { headers: { ...headers, ...authorization }, body: bytes });
    expect([answer.status, answer.body]).toEqual([row.status, answer.body]);
    expect(answer.headers.get('www-authenticate')?.split(' ', 1)[0]).toBe(row.challenge);
    if (row.error !== undefined) expect(answer.body).toMatchObject({ error: row.error });
    const schema = row.error === undefined ? row.schema : (row.schema ?? 'Error');
    if (schema !== undefined) expectValid(description, description.components.schemas[schema] ?? {}, answer.body);
  },
);

const places = operations.map(({ method, path }) => [method, path] as const);

test.each(places)(
  '%s %s: another method, a platform that is away, and one that answers nonsense',
  async (method, path) => {
    const other = await send({ path, method: 'PUT' }, {}, method);
    expect([other.status, other.headers.get('allow')]).toEqual([405, expect.stringContaining(method)]);
    const gone = await send({ world: 'whose platform cannot say which school it is', path, method });
    expect(gone.status).toBe(503);
    const wrong = await send({ world: 'whose platform answers nonsense', path, method });
    expect(wrong.status).toBe(500);
  },
);

const documents = operations
  .filter(({ operation }) => operation.responses['304'])
  .map(({ method, path }) => [method, path] as const);

test.each(documents)('%s %s is served, and 304 to whom has it', async (method, path) => {
  const first = await send({ path, method });
  const headers = { 'if-none-match': first.headers.get('etag') ?? '', 'cache-control': 'max-age=0' };
  const again = await send({ path, method }, { headers });
  expect([first.status, again.status]).toEqual([200, 304]);
});

test('every answer that is described has been seen, but for those that the replay of the examples shows', () => {
  const all = operations.flatMap(({ method, path, operation }) =>
    Object.keys(operation.responses).map((status) => `${method} ${path} ${status}`),
  );
  expect(all.filter((answer) => !seen.has(answer))).toEqual(['POST /api/oauth/token 200']);
});
