import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { DeclaredBoundary, Only } from '../../lib/core/boundaries/boundary.ts';
import { appAccesses, type AppRule, type VersionState } from '../../lib/core/clients/client-status.ts';
import type { ClientAudience } from '../../lib/core/clients/client.ts';
import { type Allowed, clientAllowance } from '../../lib/core/decisions/allowance.ts';
import { askConsentPolicies, type ConsentPolicy } from '../../lib/core/decisions/consent-policy.ts';
import { decideByRules } from '../../lib/core/decisions/decision-by-rules.ts';
import {
  isSameRule,
  isStricter,
  keepsApproval,
  noRule,
  type Pairwise,
  ruleInForce,
  stricter,
  takesAway,
} from '../../lib/core/decisions/app-rules.ts';
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

  test('is in force, whoever made which', async () => {
    await fc.assert(
      fc.asyncProperty(rule, rule, async (a, b) => {
        const request = { site, app: undefined };
        const inForce = await ruleInForce(a, async () => b, request);
        expect(plain(inForce.rule)).toEqual(plain(stricter(a, b)));
        expect(inForce.from).toBe(isStricter(b, a) ? 'platform' : 'school');
      }),
      cases(500),
    );
  });
});

/** A client, who uses it, and what has been decided beside the rules. */
interface Situation {
  readonly client: 'app' | 'document' | 'code';
  readonly audience: ClientAudience;
  readonly who: 'person' | 'service' | undefined;
  readonly roles: readonly string[];
  readonly pairwise: Pairwise | undefined;
  readonly hasPseudonyms: boolean;
  /** The school has allowed it for the person. */
  readonly isAllowed: boolean;
  /** The scopes of the version that the school has approved. */
  readonly approved: readonly string[] | undefined;
  readonly only: Only | undefined;
}

const situation: fc.Arbitrary<Situation> = fc.record({
  client: fc.constantFrom('app', 'document', 'code'),
  audience: fc.constantFrom('operator', 'member'),
  who: fc.constantFrom('person', 'person', 'service', undefined),
  roles: some(['owner', 'teacher', 'student'], 1),
  pairwise: fc.constantFrom(undefined, undefined, 'chosen', 'given'),
  hasPseudonyms: fc.boolean(),
  isAllowed: fc.boolean(),
  approved: maybe(some(scopes)),
  only: fc.constantFrom(undefined, { class: ['7b'] }),
});

const ids = { app: 'r-1', document: 'https://docs.example/client.json', code: 'portal' } as const;

function allowed(
  { client, audience, who, roles, pairwise, hasPseudonyms, isAllowed, approved }: Situation,
  school: AppRule | undefined,
  platform?: AppRule,
): Promise<Allowed> {
  const clientId = ids[client];
  const reads = scopes.filter((scope) => standardScopes.row(scope)?.access !== 'write');
  const allowance = clientAllowance({
    clients: [],
    catalogue: standardScopes,
    boundaries,
    hasPseudonyms,
    platformRule: async () => platform,
    documentScopes: async () => [...new Set([...reads, ...(approved ?? [])])],
    approvedScopes: async () => approved ?? [],
    appIdOf: () => undefined,
    ruleOf: async () => school,
    personDecided: async () => isAllowed,
  });
  return allowance({
    site,
    clientId,
    audience,
    isStatic: false,
    pairwise,
    member: who === 'person' ? { id: 'tess', roles } : undefined,
    service: who === 'service' ? { roles } : undefined,
  });
}

/** What it can get now, after a yes for the person, and after an approval of its version. */
function gives(found: Allowed, only: Only | undefined): Readonly<Record<string, readonly string[]>> {
  const isOpen = !found.refusal && !found.asks;
  const left = (counts: (scope: string) => boolean): readonly string[] => (found.refusal ? [] : scopes.filter(counts));
  return {
    now: isOpen ? left(found.mayGrant) : [],
    limited: isOpen ? left(found.countsWith(only)) : [],
    asked: left(found.mayGrant),
    approved: [...new Set([...left(found.approvable), ...left(found.mayGrant)])],
  };
}

/** What the second has that the first has not. */
function more(first: ReturnType<typeof gives>, second: ReturnType<typeof gives>): readonly string[] {
  return Object.entries(second).flatMap(([name, all]) =>
    all.filter((scope) => !first[name]?.includes(scope)).map((scope) => `${name} ${scope}`),
  );
}

describe('what a client may get', () => {
  test('is no more with one more rule, of the school or of the platform', async () => {
    await fc.assert(
      fc.asyncProperty(situation, rule, rule, rule, async (at, a, b, c) => {
        const before = gives(await allowed(at, a, b), at.only);
        expect(more(before, gives(await allowed(at, a, stricter(b, c)), at.only))).toEqual([]);
        expect(more(before, gives(await allowed(at, stricter(a, c), b), at.only))).toEqual([]);
        expect(more(gives(await allowed(at, a), at.only), before)).toEqual([]);
        expect(more(gives(await allowed(at, undefined, b), at.only), before)).toEqual([]);
      }),
      cases(2000),
    );
  });

  test('is the same, whoever of school and platform has which rule', async () => {
    // A yes of the school lifts the roles of its own rule, and not those of the platform.
    const withoutRoles = rule.map((each) => ({ ...each, roles: undefined }));
    await fc.assert(
      fc.asyncProperty(situation, withoutRoles, withoutRoles, async (at, a, b) => {
        const one = gives(await allowed(at, a, b), at.only);
        expect(gives(await allowed(at, b, a), at.only)).toEqual(one);
        expect(gives(await allowed(at, stricter(a, b)), at.only)).toEqual(one);
      }),
      cases(1000),
    );
  });

  test('is all that a connection has which stays when the rule of the school changes', async () => {
    await fc.assert(
      fc.asyncProperty(situation, rule, rule, async (at, before, after) => {
        const clientId = ids[at.client];
        const was = { rule: before, hasApproval: at.approved !== undefined };
        if (takesAway(was, { rule: after, fallback: noRule, clientId })) return;
        const approved = keepsApproval(after) ? at.approved : undefined;
        const had = gives(await allowed(at, before), at.only);
        const has = gives(await allowed({ ...at, approved }, after), at.only);
        expect([more(has, { now: had['now'] ?? [], limited: had['limited'] ?? [] })]).toEqual([[]]);
      }),
      cases(5000),
    );
  });

  test('is what lists say of it', async () => {
    const version = fc.constantFrom<VersionState>('approved', 'waiting', 'rejected', 'undecided');
    await fc.assert(
      fc.asyncProperty(situation, version, rule, rule, rule, async (at, state, a, b, c) => {
        const { audience, roles, isAllowed } = at;
        const listed = async (school: AppRule, platform: AppRule) => {
          const sources = {
            platformRule: async () => platform,
            catalogue: standardScopes,
            boundaries,
            hasPseudonyms: at.hasPseudonyms,
          };
          const member = { id: 'tess', roles };
          const person = { member, access: 'permitted', personDecided: async () => isAllowed } as const;
          const client = { clientId: ids[at.client], audience };
          const question = { site, app: undefined, client, version: state, school, person, scopes };
          const { scopes: now, waiting } = await decideByRules(sources, question);
          return { now, approved: [...now, ...waiting] };
        };
        const before = await listed(a, b);
        expect(more(before, await listed(a, stricter(b, c)))).toEqual([]);
        expect(more(before, await listed(stricter(a, c), b))).toEqual([]);
        const views = stricter(a, b).access === 'view_only' || state === 'waiting';
        if (views && state !== 'approved') expect(before.now).not.toContain('courses:write');
      }),
      cases(1000),
    );
  });
});

describe('consent policies', () => {
  const policy: fc.Arbitrary<ConsentPolicy> = fc
    .record({
      /** It has something to say only about a client that asks for all of these. */
      about: some(scopes),
      verdict: fc.oneof(
        some(scopes).map((left) => ({ decision: 'narrow' as const, scopes: left })),
        fc.constantFrom({ decision: 'deny' as const }, { decision: 'allow' as const }, undefined),
      ),
    })
    .map(
      ({ about, verdict }): ConsentPolicy =>
        ({ scopes: asked }) =>
          about.every((scope) => asked.includes(scope)) ? verdict : undefined,
    );

  test('take away the same in any order, and one more gives nothing', async () => {
    const metadata = { client_id: 'r-1', client_name: 'Claude', redirect_uris: ['http://127.0.0.1/callback'] };
    const member = { id: 'tess', roles: ['teacher'] };
    const ask = async (consent: readonly ConsentPolicy[]) => {
      const question = { site, member, metadata, scopes, purpose: 'ask' } as const;
      const { scopes: left, denied } = await askConsentPolicies(
        { consent, approvalOf: async () => undefined },
        question,
      );
      return { left, denied };
    };
    await fc.assert(
      fc.asyncProperty(policy, policy, policy, async (a, b, c) => {
        const two = await ask([a, b]);
        expect(await ask([b, a])).toEqual(two);
        const three = await ask([a, c, b]);
        expect(three.left.filter((scope) => !two.left.includes(scope))).toEqual([]);
        expect(two.denied && !three.denied).toBe(false);
      }),
      cases(1000),
    );
  });
});
