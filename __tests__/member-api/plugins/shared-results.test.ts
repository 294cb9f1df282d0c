import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createInMemoryCache, useResponseCache } from '@graphql-yoga/plugin-response-cache';
import type { Plugin } from 'graphql-yoga';
import type { MemberContext } from '../../../lib/member/index.ts';
import { Asking, Classes, limited, withClasses } from '../../features/boundaries/limited-schools.ts';
import type { TestClient } from '../../helpers/flow.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { codesOf, type GraphqlResult, post } from '../graphql.ts';
import { cached } from './cached.ts';

// Olivia has limited one app to a class, and not the other. What is kept or shared of one is not for the other.

const unlimited: TestClient = {
  id: 'timetable',
  redirectUri: 'https://timetable.example/callback',
  secret: 'timetable-secret',
  scope: 'openid courses:read',
};
const timetable = {
  clientId: unlimited.id,
  clientName: 'Timetable',
  audience: 'operator',
  redirectUris: [unlimited.redirectUri],
  scopes: ['openid', 'courses:read'],
  clientSecret: 'timetable-secret',
} as const;

const typeDefs =
  'extend type Viewer { classes: [String!]! @requiresScopes(scopes: ["courses:read"], honours: ["class"]) }';
const query = '{ viewer { classes } }';
let started: Schools | undefined;
const schools = (): Schools => {
  if (!started) throw new Error('start the schools first');
  return started;
};
let executed = 0;
const resolvers = {
  Viewer: {
    classes: (_viewer: unknown, _args: unknown, { token }: MemberContext) => {
      executed += 1;
      return token.limitTo('class') ?? ['all'];
    },
  },
};

async function start(...plugins: readonly object[]): Promise<void> {
  const options = withClasses(new Classes());
  executed = 0;
  started = await startSchools({
    campus: { ...options, clients: [...(options.clients ?? []), timetable] },
    memberApi: { typeDefs, resolvers, plugins },
  });
}
afterEach(async () => {
  await started?.close();
  started = undefined;
});

/** A token of one of the apps, limited to these classes. */
async function tokenFor(client: TestClient, ids?: readonly string[]): Promise<string> {
  const asking = await new Asking(schools().browser('olivia'), schools().harbour, client).open();
  const choice = ids ? { 'limit.class': 'some', 'only.class': ids } : { 'limit.class': 'all' };
  return String((await (await asking.allow(choice)).tokens()).body['access_token']);
}

const ask = (token: string): Promise<GraphqlResult> => post(schools().harbour, token, { query });
const classesIn = ({ body }: GraphqlResult): unknown => Object(body.data).viewer?.classes;
const faults = (): string =>
  schools()
    .faults.map(({ cause }) => String(Object(cause).cause ?? cause))
    .join();

test('docs/guides/member-api-plugins.md shows the cache of these tests, word for word', () => {
  const read = (path: string): string => readFileSync(join(import.meta.dirname, path), 'utf8');
  expect(read('../../../docs/guides/member-api-plugins.md')).toContain(`\`\`\`ts\n${read('cached.ts')}\`\`\`\n`);
});

describe('a response cache with token.cacheKey', () => {
  test('keeps the results of each app of a person apart, for each limit', async () => {
    await start(cached);
    const [all, some] = [await tokenFor(unlimited), await tokenFor(limited, ['c7'])];
    const both = async () => [classesIn(await ask(all)), classesIn(await ask(some))];
    expect([await both(), await both()]).toEqual([
      [['all'], ['c7']],
      [['all'], ['c7']],
    ]);
    expect(classesIn(await ask(await tokenFor(limited, ['c8'])))).toEqual(['c8']);
    expect(schools().faults).toEqual([]);
  });

  test('serves the next token of an app what the previous one has made', async () => {
    await start(
      useResponseCache({
        session: (_request, { token }: MemberContext) => token.cacheKey,
        cache: createInMemoryCache(),
      }),
    );
    expect(classesIn(await ask(await tokenFor(limited, ['c7', 'c9'])))).toEqual(['c7', 'c9']);
    expect(classesIn(await ask(await tokenFor(limited, ['c9', 'c7'])))).toEqual(['c7', 'c9']);
    expect(executed).toBe(1);
  });
});

/** What is made for the first request is served to all that follow. */
function sharing(): Plugin {
  let first: unknown;
  return {
    onExecute: ({ executeFn, setExecuteFn }) => setExecuteFn((args) => (first ??= executeFn(args))),
  };
}

const session = (_request: unknown, { site, viewer }: Partial<MemberContext>): string => `${site?.id} ${viewer?.id}`;
const response = (): Plugin => {
  let body: string | undefined;
  return {
    onRequest: (request) => {
      if (body !== undefined) request.endResponse(new Response(body));
    },
    onResponse: async ({ response: made }) => void (body ??= await made.clone().text()),
  };
};

describe.each<[string, () => object]>([
  ['a response cache by person', () => useResponseCache({ session, cache: createInMemoryCache() })],
  ['operations that are joined', sharing],
  ['whole responses that are kept', response],
])('%s', (_what, plugin) => {
  test('serves no token with limits what was made for another app of the person: a fault names token.cacheKey', async () => {
    await start(plugin());
    const [all, some] = [await tokenFor(unlimited), await tokenFor(limited, ['c7'])];
    expect(classesIn(await ask(all))).toEqual(['all']);
    expect(classesIn(await ask(all))).toEqual(['all']);
    const refused = await ask(some);
    expect([refused.status, classesIn(refused), codesOf(refused)]).toEqual([500, undefined, []]);
    expect(faults()).toContain('use context.token.cacheKey as its cache key');
    expect(executed).toBe(1);
  });
});
