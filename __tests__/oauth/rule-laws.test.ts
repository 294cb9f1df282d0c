import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { AppIdentity } from '../../lib/core/access/app.ts';
import { accessPolicies } from '../../lib/core/access/ask-policies.ts';
import { type ListQuestion, listedPermission } from '../../lib/core/access/listed-permission.ts';
import { createPermit, type LookUpSources } from '../../lib/core/access/look-ups.ts';
import { type Asked, type Facts, outcomeOf, type Permission, untouched } from '../../lib/core/access/permission.ts';
import { refusedOutright, steps, walk } from '../../lib/core/access/steps.ts';
import type { AccessPolicy } from '../../lib/core/access/policy.ts';
import { keepsApproval, takesAway } from '../../lib/core/access/ended-by-rule.ts';
import { roleRights } from '../../lib/core/access/operator-and-admin-roles.ts';
import {
  type AccessRule,
  combine,
  isSameRule,
  isStricter,
  noRule,
  appAccesses,
  type AppRule,
  stricter,
} from '../../lib/core/access/rule.ts';
import type { Pairwise } from '../../lib/core/access/used-client.ts';
import type { DeclaredBoundary, Only } from '../../lib/core/boundaries/boundary.ts';
import type { VersionState } from '../../lib/core/clients/client-status.ts';
import type { ClientAudience } from '../../lib/core/clients/client.ts';
import { cases } from '../helpers/properties.ts';
import { standardScopes } from '../helpers/scopes.ts';

// Rules only take away. Wherever two of them become one, their order does not matter, and one more never gives more.

const scopes = ['openid', 'profile', 'email', 'courses:read', 'courses:write', 'orders:read'] as const;
const site = { id: 'harbour', origin: 'https://harbour.example', name: 'Harbour School', connectionsEnabled: true };
const boundaries: readonly DeclaredBoundary[] = [
  { type: 'class', name: 'Classes', scopes: ['courses:read', 'courses:write'] },
];

const some = <T>(all: readonly T[], minLength = 0): fc.Arbitrary<T[]> => fc.subarray([...all], { minLength });
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });

const rule: fc.Arbitrary<AppRule> = fc.record({
  access: fc.constantFrom(...appAccesses),
  ask: maybe(fc.boolean()),
  roles: maybe(some(['owner', 'teacher', 'student'], 1)),
  scopes: maybe(some(scopes, 1)),
  pseudonym: maybe(fc.boolean()),
  limited: maybe(some(['class', 'gone'], 1)),
});

/** Lists are sets, and what takes nothing away is absent. */
function plain(of: AppRule): unknown {
  const set = (list: readonly string[] | undefined): readonly string[] | undefined => list?.toSorted();
  const { access, ask = false, roles, pseudonym = false, limited = [] } = of;
  return { access, ask, roles: set(roles), scopes: set(of.scopes), pseudonym, limited: set(limited) };
}

describe('the stricter of two rules', () => {
  test('is the same in any order and in any groups, and twice as once; no rule takes nothing', () => {
    fc.assert(
      fc.property(rule, rule, rule, (a, b, c) => {
        expect(plain(stricter(a, b))).toEqual(plain(stricter(b, a)));
        expect(plain(stricter(stricter(a, b), c))).toEqual(plain(stricter(a, stricter(b, c))));
        expect(plain(stricter(a, a))).toEqual(plain(a));
        expect(plain(stricter(noRule, a))).toEqual(plain(a));
      }),
      cases(2000),
    );
  });

  test('differs from one of them exactly if the other takes something more away', () => {
    fc.assert(
      fc.property(rule, rule, (a, b) => {
        expect(isStricter(a, b)).toBe(JSON.stringify(plain(stricter(a, b))) !== JSON.stringify(plain(b)));
        expect(isSameRule(a, b)).toBe(JSON.stringify(plain(a)) === JSON.stringify(plain(b)));
      }),
      cases(2000),
    );
  });

  test('is the same for all of them one by one, and combined', () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 4 }), (all) => {
        expect(plain(combine(all))).toEqual(plain(all.toReversed().reduce<AppRule>(stricter, noRule)));
      }),
      cases(500),
    );
  });
});

/** A client, who uses it, and what has been decided beside the rules. */
interface Situation {
  readonly client: 'app' | 'document' | 'code';
  readonly audience: ClientAudience;
  readonly who: 'person' | 'service';
  readonly roles: readonly string[];
  readonly pairwise: Pairwise | undefined;
  readonly hasPseudonyms: boolean;
  /** The school has allowed it for the person. */
  readonly isAllowed: boolean;
  /** The scopes of the version that the school has approved. */
  readonly approved: readonly string[] | undefined;
  readonly only: Only | undefined;
  readonly asks: Pick<Asked, 'at' | 'approving' | 'chosen'>;
}

const situation: fc.Arbitrary<Situation> = fc.record({
  client: fc.constantFrom('app', 'document', 'code'),
  audience: fc.constantFrom('operator', 'member'),
  who: fc.constantFrom('person', 'person', 'service'),
  roles: some(['owner', 'teacher', 'student'], 1),
  pairwise: fc.constantFrom(undefined, undefined, 'chosen', 'given'),
  hasPseudonyms: fc.boolean(),
  isAllowed: fc.boolean(),
  approved: maybe(some(scopes)),
  only: fc.constantFrom(undefined, { class: ['7b'] }),
  asks: fc.record({
    at: fc.constantFrom('connect', 'refresh', 'use'),
    approving: fc.boolean(),
    chosen: fc.constantFrom(undefined, { only: undefined }, { only: { class: ['7b'] } }),
  }),
});

const ids = { app: 'r-1', document: 'https://docs.example/client.json', code: 'portal' } as const;
const identity: AppIdentity = { source: 'loopback', kind: 'assistant', verified: false };

/** What a client may get, by the rule of the school and those of policies. */
async function allowed(
  { client, audience, who, roles, pairwise, hasPseudonyms, isAllowed, approved, asks }: Situation,
  school: AppRule | undefined,
  platform: readonly AccessRule[] = [],
): Promise<Permission> {
  const clientId = ids[client];
  const reads = scopes.filter((scope) => standardScopes.row(scope)?.access !== 'write');
  const policies = platform.map(
    (each): AccessPolicy =>
      () =>
        each,
  );
  const everybody = new Set(['owner', 'teacher', 'student']);
  const sources: LookUpSources = {
    policies: accessPolicies(policies, standardScopes, (message, cause) => {
      throw new Error(message, { cause });
    }),
    catalogue: standardScopes,
    boundaries,
    hasPseudonyms,
    rights: roleRights({ operatorRoles: everybody, adminRoles: everybody }),
    isConfigured: () => true,
    isPairwise: () => false,
    rowOf: () => undefined,
    schoolRule: async () => ({ rule: school }),
    isPersonAllowed: async () => isAllowed,
    documentScopes: async () => ({ scopes: [...reads, ...(approved ?? [])], reviewed: approved !== undefined }),
    approvedScopes: async () => approved ?? [],
  };
  return createPermit(sources)({
    site,
    client: { clientId, audience, isStatic: false, pairwise, ...(client !== 'document' && { identity }) },
    member: who === 'person' ? { id: 'tess', roles } : undefined,
    service: who === 'service' ? { roles } : undefined,
    scopes,
    ...asks,
  });
}

/** What it can get now, and after an approval of its version. */
function gives({ scopes: now, waiting }: Permission): Readonly<Record<string, readonly string[]>> {
  return { now, approved: [...now, ...waiting] };
}

/** What the second has that the first has not. */
function more(first: Permission, second: Permission): readonly string[] {
  const had = gives(first);
  return Object.entries(gives(second)).flatMap(([name, all]) =>
    all.filter((scope) => !had[name]?.includes(scope)).map((scope) => `${name} ${scope}`),
  );
}

const result = (found: Permission): unknown => [found.scopes, found.waiting, outcomeOf(found, scopes, standardScopes)];

describe('what a client may get', () => {
  test('is no more with one more rule, of the school or of a policy', async () => {
    await fc.assert(
      fc.asyncProperty(situation, rule, rule, rule, async (at, a, b, c) => {
        const before = await allowed(at, a, [b]);
        expect(more(before, await allowed(at, a, [b, c]))).toEqual([]);
        expect(more(before, await allowed(at, stricter(a, c), [b]))).toEqual([]);
        expect(more(await allowed(at, a), before)).toEqual([]);
        expect(more(await allowed(at, undefined, [b]), before)).toEqual([]);
      }),
      cases(2000),
    );
  });

  test('is the same in any order of the policies, and with their rules one by one or combined', async () => {
    await fc.assert(
      fc.asyncProperty(situation, rule, rule, rule, async (at, school, a, b) => {
        const one = result(await allowed(at, school, [a, b]));
        expect(result(await allowed(at, school, [b, a]))).toEqual(one);
        expect(result(await allowed(at, school, [combine([a, b])]))).toEqual(one);
      }),
      cases(1000),
    );
  });

  test('is never given by the name of a scope that a pseudonym takes away', async () => {
    await fc.assert(
      fc.asyncProperty(situation, rule, rule, async (at, a, b) => {
        const hidden = await allowed(at, { ...a, pseudonym: true }, [b]);
        expect([...hidden.scopes, ...hidden.waiting].filter((scope) => scope !== 'openid')).toEqual([]);
      }),
      cases(500),
    );
  });

  test('changes nothing where a rule says view only, however each person is asked about', async () => {
    await fc.assert(
      fc.asyncProperty(situation, rule, rule, async (at, a, b) => {
        for (const all of [
          [{ ...b, access: 'view_only' as const, ask: true }],
          [{ access: 'view_only' as const }, { ...b, ask: true }],
        ]) {
          const found = await allowed(at, { ...a, access: 'allowed' }, all);
          expect([...found.scopes, ...found.waiting]).not.toContain('courses:write');
        }
      }),
      cases(500),
    );
  });

  test('is all that a connection has which stays when the rule of the school changes', async () => {
    await fc.assert(
      fc.asyncProperty(situation, rule, rule, async (at, before, after) => {
        const clientId = ids[at.client];
        const was = { rule: before, hasApproval: at.approved !== undefined };
        if (takesAway(was, { rule: after, fallback: noRule, clientId })) return;
        const approved = keepsApproval(after) ? at.approved : undefined;
        const had = await allowed(at, before);
        const has = await allowed({ ...at, approved }, after);
        expect(had.scopes.filter((scope) => !has.scopes.includes(scope))).toEqual([]);
      }),
      cases(5000),
    );
  });

  test('is what lists say of it', async () => {
    const version = fc.constantFrom<VersionState>('approved', 'waiting', 'rejected', 'undecided');
    await fc.assert(
      fc.asyncProperty(situation, version, rule, rule, rule, async (at, state, a, b, c) => {
        const { audience, roles, isAllowed } = at;
        const listed = (school: AppRule, platform: AccessRule): Promise<Permission> => {
          const sources = {
            policies: accessPolicies([() => platform], standardScopes, () => undefined),
            catalogue: standardScopes,
            boundaries,
            hasPseudonyms: at.hasPseudonyms,
          };
          const member = { id: 'tess', roles };
          const person = { member, isPersonAllowed: async () => isAllowed };
          const client = { clientId: ids[at.client], audience };
          const shared = { site, ways: [{ identity, audience }], app: undefined, client, version: state } as const;
          const question: ListQuestion = { ...shared, school, person, scopes };
          return listedPermission(sources, question);
        };
        const before = await listed(a, b);
        expect(more(before, await listed(a, stricter(b, c)))).toEqual([]);
        expect(more(before, await listed(stricter(a, c), b))).toEqual([]);
        const views = a.access === 'view_only' || state === 'waiting';
        if ((views && state !== 'approved') || b.access === 'view_only')
          expect(before.scopes).not.toContain('courses:write');
      }),
      cases(1000),
    );
  });
});

/** Facts with which a step takes nothing. */
const free: Facts = {
  asked: {
    site,
    client: { clientId: 'r-1', audience: 'operator', isStatic: false, identity },
    member: { id: 'tess', roles: ['teacher'] },
    scopes,
    at: 'use',
  },
  catalogue: standardScopes,
  boundaries,
  isHere: true,
  right: 'permitted',
  operatorRoles: ['teacher'],
  hasPseudonym: true,
  pairwise: undefined,
  school: () => undefined,
  policies: () => [],
  isAllowed: () => false,
  version: () => ({}),
};

describe('a step', () => {
  test('that takes nothing returns what it got, at once', () => {
    const start = untouched(scopes);
    for (const step of steps) expect(step(start, free)).toBe(start);
  });

  const ofSchool = (own: AppRule): Partial<Facts> => ({ school: () => own });
  const ofPolicy = (said: AccessRule): Partial<Facts> => ({
    policies: () => [{ policy: 'access[0] plan', rule: said }],
  });
  const reads = ['openid', 'profile', 'email', 'courses:read', 'orders:read'];
  const rows: readonly [step: string, facts: Partial<Facts>, left: readonly string[]][] = [
    ['clientIsHere', { isHere: false }, []],
    ['actorMayUseClient', { right: 'no-operator' }, []],
    ['ruleOfSchool', ofSchool({ access: 'blocked' }), []],
    ['ruleOfSchool', ofSchool({ access: 'allowed', scopes: ['openid'] }), ['openid']],
    ['rulesOfPlatform', ofPolicy({ access: 'blocked' }), []],
    ['rulesOfPlatform', ofPolicy({ access: 'view_only' }), reads],
    ['actorHasRole', ofSchool({ access: 'allowed', roles: ['owner'] }), []],
    ['actorHasRole', ofPolicy({ roles: [] }), []],
    ['schoolAllowsPerson', ofPolicy({ ask: true }), []],
    ['knownByPseudonym', ofPolicy({ pseudonym: true, scopes: ['openid', 'email'] }), ['openid']],
    ['knownByPseudonym', { ...ofPolicy({ pseudonym: true }), hasPseudonym: false }, []],
    ['scopesOfClient', { asked: { ...free.asked, client: { ...free.asked.client, scope: 'openid' } } }, ['openid']],
    ['demandedLimitsAreChosen', { ...ofPolicy({ limited: ['gone'] }) }, ['openid', 'profile', 'email']],
    ['approvedVersion', { version: () => ({ open: (scope: string) => scope !== 'courses:write' }) }, reads],
  ];
  test.each(rows)('%s takes what it is named for', async (step, facts, left) => {
    const found = await walk({ ...free, ...facts });
    expect([found.taken.at(-1)?.step, found.scopes]).toEqual([step, left]);
  });

  test('a refusal without a walk names the step as well', () => {
    expect(refusedOutright('no_access').taken).toMatchObject([
      { step: 'actorMayUseClient', code: 'no_access', from: 'platform' },
    ]);
  });

  test('names the policy whose rule it was, and who can change it', async () => {
    const text = { en: 'Only some people.', 'zh-Hant': '只有部分人員。' };
    const policies = () => [{ policy: 'access[0] onlyRoles', rule: { roles: ['owner'], text } }];
    expect((await walk({ ...free, policies })).taken).toEqual([
      {
        step: 'actorHasRole',
        code: 'client_role',
        from: 'platform',
        policy: 'access[0] onlyRoles',
        scopes: 'all',
        text: 'the platform lets only people with one of these roles connect the client at this school: "owner"',
        change: 'the platform adds a role of the person to this policy (option access)',
        texts: [text],
      },
    ]);
  });
});
