import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { memberApi } from '../../../lib/member/index.ts';
import { introspect, jsonResponse, refresh } from '../../helpers/flow.ts';
import { cases } from '../../helpers/properties.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { siteOf } from '../../helpers/sites.ts';
import { callTool } from '../../mcp/rpc.ts';
import { Asking, Classes, knowing, limited, tools, unaware, withClasses } from './limited-schools.ts';

// People choose, choose anew, lose classes, roles and scopes, and rules change, in any order. After each step every token of all steps is used in every way.

let schools: Schools;
let demands = false;
const classes = new Classes();
const all = ['c1', 'c2', 'c3', 'c4'];

/** What a host serves: what the person has, within the limit. */
const served = (limit: readonly string[] | undefined): readonly string[] =>
  (classes.of['olivia'] ?? []).filter((id) => !limit || limit.includes(id));

beforeAll(async () => {
  const typeDefs = `extend type Viewer {
    classes: [String!]! @requiresScopes(scopes: ["courses:read"], honours: ["class"])
    classCount: Int! @requiresScopes(scopes: ["courses:read"])
  }`;
  const resolvers = {
    Viewer: {
      classes: (
        _viewer: unknown,
        _args: unknown,
        { token }: { token: { limitTo(type: string): readonly string[] | undefined } },
      ) => served(token.limitTo('class')),
      classCount: () => served(undefined).length,
    },
  };
  schools = await startSchools({
    campus: {
      ...withClasses(classes),
      memberApi: memberApi({ typeDefs, resolvers }),
      access: [() => (demands ? { limited: ['class'] } : undefined)],
      limits: false,
    },
    mcp: { tools },
  });
});
afterAll(() => schools.close());

/** What one token gives, by the way of use. A way that refuses gives nothing. */
interface Given {
  /** Ids that were served where limits are honoured. */
  readonly honoured: readonly string[];
  /** The ways without `honours` in which the limited scope counted. */
  readonly careless: readonly string[];
}

async function givenBy(token: string): Promise<Given> {
  const site = siteOf(schools, 'harbour');
  const verified = async (honours: readonly string[]) =>
    schools.campus.verify(site, token, { honours }).catch(() => undefined);
  const [knows, forgets] = [await verified(['class']), await verified([])];
  const field = async (name: string) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const body = JSON.stringify({ query: `{ viewer { ${name} } }` });
    const { body: answer } = await jsonResponse(
      await fetch(`${schools.harbour}/member/graphql`, { method: 'POST', headers, body }),
    );
    return Object(answer['data']).viewer?.[name];
  };
  const tool = await callTool(schools.harbour, 'list_courses', {}, { token });
  const limitOfTool = /\[[^\]]*\]$/.exec(String(Object(tool.body['result']).content?.[0]?.text))?.[0];
  const seen = await Promise.all([knowing, unaware].map((client) => introspect(schools.harbour, client, token)));
  const [ofKnowing, ofUnaware] = seen.map(({ body }) => body);
  const has = (scope: unknown): boolean => typeof scope === 'string' && scope.split(' ').includes('courses:read');
  const details = Object(ofKnowing?.['authorization_details'])[0]?.identifiers;
  return {
    honoured: [
      ...(knows?.scopes.includes('courses:read') ? served(knows.limitTo('class')) : []),
      ...((await field('classes')) ?? []),
      ...(tool.status === 200 ? served(limitOfTool === undefined ? undefined : JSON.parse(limitOfTool)) : []),
      ...(has(ofKnowing?.['scope']) ? served(details) : []),
    ],
    careless: [
      ...(forgets?.scopes.includes('courses:read') ? ['verify'] : []),
      ...((await field('classCount')) === undefined ? [] : ['field']),
      ...((await callTool(schools.harbour, 'statistics', {}, { token })).status === 200 ? ['tool'] : []),
      ...(has(ofUnaware?.['scope']) ? ['introspection'] : []),
    ],
  };
}

type Step =
  | { readonly kind: 'consent'; readonly ids: readonly string[] | undefined }
  | { readonly kind: 'limit'; readonly ids: readonly string[] | undefined }
  | { readonly kind: 'move'; readonly ids: readonly string[] }
  | { readonly kind: 'role'; readonly on: boolean }
  | { readonly kind: 'demand'; readonly on: boolean }
  | { readonly kind: 'narrow' };

const ids = fc.uniqueArray(fc.constantFrom(...all), { minLength: 1 });
const some = fc.option(ids, { nil: undefined });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('consent' as const), ids: some }),
  fc.record({ kind: fc.constant('limit' as const), ids: some }),
  fc.record({ kind: fc.constant('move' as const), ids }),
  fc.record({ kind: fc.constant('role' as const), on: fc.boolean() }),
  fc.record({ kind: fc.constant('demand' as const), on: fc.boolean() }),
  fc.record({ kind: fc.constant('narrow' as const) }),
);

test('whatever is chosen, moved, narrowed and decided, no use of any token gives more than what was chosen last', async () => {
  const site = siteOf(schools, 'harbour');
  const { connections } = schools.campus;
  const person = (roles: readonly string[]): void => {
    const { olivia, ...others } = schools.people['harbour'] ?? {};
    if (olivia) schools.people['harbour'] = { ...others, olivia: { ...olivia, roles } };
  };
  let counted = 0;
  await fc.assert(
    fc.asyncProperty(some, fc.array(step, { minLength: 2, maxLength: 5 }), async (first, steps) => {
      await connections.revokeAll(site, 'olivia');
      [demands, classes.of['olivia']] = [false, all];
      person(['owner']);
      let tokens: readonly string[] = [];
      let live: unknown;
      const keep = ({ body }: { readonly body: Readonly<Record<string, unknown>> }): void => {
        if (body['refresh_token'] !== undefined) live = body['refresh_token'];
        if (typeof body['access_token'] === 'string') tokens = [body['access_token'], ...tokens].slice(0, 3);
      };
      const consent = async (wanted: readonly string[] | undefined): Promise<void> => {
        const asking = await new Asking(schools.browser('olivia'), schools.harbour).open();
        // Without a role there is no page.
        if (!asking.page.queryByRole('form')) return;
        const own = wanted?.filter((id) => served(undefined).includes(id));
        await (own ? asking.limit(own) : asking.allow({ 'limit.class': 'all' }));
        if (asking.stop?.url.searchParams.has('code')) keep(await asking.tokens());
      };
      for (const each of [{ kind: 'consent', ids: first } as const, ...steps]) {
        const [connection] = await connections.list(site, 'olivia');
        if (each.kind === 'consent') await consent(each.ids);
        else if (each.kind === 'move') classes.of['olivia'] = [...each.ids];
        else if (each.kind === 'role') person(each.on ? ['owner'] : []);
        else if (each.kind === 'demand') demands = each.on;
        else if (each.kind === 'narrow')
          await connections.narrow(site, 'olivia', connection?.id ?? '', ['courses:read']).catch(() => undefined);
        else {
          const only = each.ids ? { class: each.ids } : {};
          await connections.limit(site, 'olivia', connection?.id ?? '', only).catch(() => undefined);
        }
        if (live !== undefined) keep(await refresh(schools.harbour, limited, live));
        const [now] = await connections.list(site, 'olivia');
        const isGiven = now?.scopes.includes('courses:read') === true && (!demands || now.only !== undefined);
        const allowed = isGiven ? served(now.only?.['class']) : [];
        for (const token of tokens) {
          const { honoured, careless } = await givenBy(token);
          expect(honoured.filter((id) => !allowed.includes(id))).toEqual([]);
          if (now?.only || !isGiven) expect(careless).toEqual([]);
          counted += honoured.length + careless.length;
        }
      }
    }),
    { ...cases(6), examples: [[undefined, [{ kind: 'demand', on: true }]]] },
  );
  // Otherwise nothing was given at all, and this proves nothing.
  expect(counted).toBeGreaterThan(20);
});
