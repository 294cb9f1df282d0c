import { afterAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import Koa from 'koa';
import { memoryStore } from '../../adapters/memory/index.ts';
import type { AppRule } from '../../lib/core/access/rule.ts';
import type { Boundary, StaticClient } from '../../lib/index.ts';
import { OAuthError } from '../../lib/kernel/errors.ts';
import type { Store } from '../../lib/store.ts';
import { Asking } from '../features/boundaries/limited-schools.ts';
import { introspect, jsonResponse, refresh, revokeToken, type TestClient, userinfo } from '../helpers/flow.ts';
import { cases } from '../helpers/properties.ts';
import { type Releases, startReleases } from '../helpers/releases.ts';
import { siteOf } from '../helpers/sites.ts';

// People connect, refresh, use a refresh token twice, lose roles and move; schools and the platform make rules; releases take a boundary out and bring it
// back. After each step, verification, the guard, UserInfo and introspection, without and with a run of the engine, say the same of every token, and a refresh does what introspection has said.

type SchoolId = 'harbour' | 'summit';

const schoolIds = ['harbour', 'summit'] as const;
const people = ['olivia', 'sam'] as const;
const clientOf = (id: string, scope: string): TestClient => ({
  id,
  redirectUri: `https://${id}.example/callback`,
  secret: `${id}-secret`,
  scope,
});
const reports = clientOf('reports', 'openid email courses:read courses:write orders:read');
const diary = clientOf('diary', 'openid email account:read account:write');
const quiz = clientOf('quiz', 'openid email');
const clients = [reports, diary, quiz] as const;
const knowing = clientOf('knowing', '');
const unaware = clientOf('unaware', '');

const staticClient = ({ id, redirectUri, secret, scope }: TestClient, more: Partial<StaticClient>): StaticClient => ({
  clientId: id,
  clientName: id,
  audience: 'member',
  redirectUris: [redirectUri],
  scopes: scope.split(' '),
  clientSecret: secret,
  ...more,
});

const boundary = (type: string, scopes: readonly string[]): Boundary => ({
  type,
  name: type,
  scopes,
  list: (_site, _member, { ids, offset, limit }) => {
    const found = ['1', '2', '3'].filter((id) => !ids || ids.includes(id)).map((id) => ({ id, name: id }));
    return { items: found.slice(offset, offset + limit), total: found.length };
  },
});
const classes = boundary('class', ['courses:read', 'courses:write', 'account:read']);
const teams = boundary('team', ['orders:read', 'account:write']);

/** What a person chooses of each type; nothing: all. */
type Limits = Readonly<Partial<Record<'class' | 'team', readonly string[]>>>;

/** What a client has got, with what was known of it then. */
interface Held {
  readonly school: SchoolId;
  readonly person: string;
  readonly client: TestClient;
  readonly access: string;
  readonly refresh: string;
  /** All that came of one consent. */
  readonly family: number;
  readonly only: Limits | undefined;
}

const rules: readonly (AppRule | undefined)[] = [
  undefined,
  { access: 'allowed', scopes: ['openid', 'courses:read', 'account:read'] },
  { access: 'allowed', roles: ['teacher'] },
  { access: 'allowed', limited: ['class'] },
  { access: 'allowed', pseudonym: true },
  { access: 'view_only' },
  { access: 'allowed', ask: true },
  { access: 'view_only', ask: true },
  { access: 'blocked' },
];

const school = fc.constantFrom(...schoolIds);
const person = fc.constantFrom(...people);
const client = fc.constantFrom(...clients);
const rule = fc.constantFrom(...rules);
const ids = fc.uniqueArray(fc.constantFrom('1', '2', '3'), { minLength: 1 });
const limits: fc.Arbitrary<Limits> = fc.record({ class: ids, team: ids }, { requiredKeys: [] });
/** One of those that are held, counted from the latest. */
const which = fc.nat({ max: 3 });

const connecting = fc.record({ do: fc.constant('connect' as const), school, person, client, limits });
const step = fc.oneof(
  { weight: 4, arbitrary: connecting },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('refresh' as const), which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reuse' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('revoke' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('narrow' as const), which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('limit' as const), which, limits }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('disconnect' as const), which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('rule' as const), school, client, rule }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('platform' as const), rule }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('waiting' as const), rule }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('roles' as const), school, person, has: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('move' as const), person, from: school }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('release' as const), name: fc.constantFrom('first', 'second') }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

type Connecting = Extract<Step, { do: 'connect' }>;

const connected: Connecting = { do: 'connect', school: 'harbour', person: 'olivia', client: reports, limits: {} };
const toTeams: Connecting = { ...connected, limits: { team: ['1'] } };
const refreshing = { do: 'refresh', which: 0 } as const;
const oldRelease = { do: 'release', name: 'first' } as const;
const newRelease = { do: 'release', name: 'second' } as const;

/** What chance seldom puts together. */
const examples: readonly [Connecting, Step[]][] = [
  [toTeams, [newRelease, refreshing, oldRelease, refreshing, newRelease, connected, refreshing]],
  [connected, [{ do: 'move', person: 'olivia', from: 'harbour' }, refreshing, { ...connected, school: 'summit' }]],
  [connected, [refreshing, { do: 'reuse', which: 1 }]],
  ...rules.map((each): [Connecting, Step[]] => [connected, [{ do: 'platform', rule: each }, refreshing]]),
  ...rules.map((each): [Connecting, Step[]] => [connected, [{ do: 'waiting', rule: each }, refreshing]]),
  ...rules.map((each): [Connecting, Step[]] => [
    connected,
    [{ do: 'rule', school: 'harbour', client: reports, rule: each }, refreshing],
  ]),
];

/** A campus on a store, with what its clients hold. */
class World {
  readonly #releases: Releases;
  #held: readonly Held[] = [];
  #platformRule: AppRule | undefined;
  #waitingRule: AppRule | undefined;
  #release: 'first' | 'second' = 'first';
  #families = 0;
  /** What the schools have decided, by client. */
  readonly #schoolRules = new Map<string, AppRule | undefined>();
  /** The refresh tokens that have been used. */
  readonly #spent = new Set<string>();
  /** How often something was active. */
  active = 0;

  private constructor(releases: Releases) {
    this.#releases = releases;
  }

  static async on(store: Store): Promise<World> {
    const shared = {
      store,
      clients: [
        staticClient(reports, { audience: 'operator' }),
        staticClient(diary, {}),
        staticClient(quiz, { subject: 'pairwise' }),
      ],
      resourceServers: [
        { clientId: knowing.id, clientSecret: String(knowing.secret), honours: ['class'] },
        { clientId: unaware.id, clientSecret: String(unaware.secret) },
      ],
      pseudonyms: { key: 'a key of pseudonyms that never changes' },
      lifetimes: { refreshGrace: 0 },
      limits: false,
      access: [() => world?.rule, { at: ['connect', 'refresh'], decide: async () => world?.waitingRule }],
    } as const;
    let world: World | undefined;
    const releases = await startReleases(
      { ...shared, boundaries: [classes, teams] },
      { ...shared, boundaries: [classes] },
      (campus) =>
        new Koa()
          .use(campus.middleware())
          .use(campus.requireAccess({ audience: ['operator', 'member'], honours: ['class'] }))
          .use((ctx) => {
            const { scopes, member } = ctx.state.token;
            ctx.body = { scopes, sub: member.id };
          }),
    );
    world = new World(releases);
    return world;
  }

  get rule(): AppRule | undefined {
    return this.#platformRule;
  }

  /** What a policy says that looks something up, so it does not count at use. */
  get waitingRule(): AppRule | undefined {
    return this.#waitingRule;
  }

  close(): Promise<void> {
    return this.#releases.close();
  }

  /** As it was at first. */
  async reset(): Promise<void> {
    this.#platformRule = undefined;
    this.#waitingRule = undefined;
    this.#schoolRules.clear();
    this.#spent.clear();
    this.#held = [];
    this.#serve('first');
    for (const id of schoolIds) {
      for (const each of people) {
        this.#give(id, each, ['owner']);
        await this.#campus.connections.revokeAll(this.#site(id), each);
      }
      for (const each of clients) await this.#campus.apps.reset(this.#site(id), { clientId: each.id });
    }
  }

  async take(taken: Step): Promise<void> {
    if (taken.do === 'connect') return this.#connect(taken);
    if (taken.do === 'release') return this.#serve(taken.name === 'first' ? 'first' : 'second');
    if (taken.do === 'platform') return void (this.#platformRule = taken.rule);
    if (taken.do === 'waiting') return void (this.#waitingRule = taken.rule);
    if (taken.do === 'roles') return this.#give(taken.school, taken.person, taken.has ? ['owner'] : []);
    if (taken.do === 'move') {
      this.#give(taken.from, taken.person, []);
      return this.#give(taken.from === 'harbour' ? 'summit' : 'harbour', taken.person, ['owner']);
    }
    if (taken.do === 'rule') {
      const target = { clientId: taken.client.id };
      const { apps } = this.#campus;
      this.#schoolRules.set(`${taken.school} ${taken.client.id}`, taken.rule);
      await (taken.rule
        ? apps.set(this.#site(taken.school), target, taken.rule)
        : apps.reset(this.#site(taken.school), target));
      return undefined;
    }
    const usable = taken.do === 'refresh' ? this.#held.filter((each) => !this.#spent.has(each.refresh)) : this.#held;
    const held = usable[taken.which % usable.length];
    return held && this.#use(taken, held);
  }

  /** Everybody who can be asked about a token says the same. */
  async agree(): Promise<void> {
    for (const held of this.#held) {
      await this.#agreeOn(held);
      const elsewhere = held.school === 'harbour' ? 'summit' : 'harbour';
      await expect(this.#verified(elsewhere, held.access, ['class'])).resolves.toBeUndefined();
      expect((await introspect(this.#origin(elsewhere), knowing, held.access)).body).toEqual({ active: false });
    }
  }

  async #agreeOn(held: Held): Promise<void> {
    const { access, client: own, person: memberId } = held;
    const origin = this.#origin(held.school);
    const [knows, forgets] = [
      await this.#verified(held.school, access, ['class']),
      await this.#verified(held.school, access, []),
    ];
    const [forKnowing, forUnaware, forOwn] = [
      (await introspect(origin, knowing, access)).body,
      (await introspect(origin, unaware, access)).body,
      (await introspect(origin, own, access)).body,
    ];
    expect(await introspectedByEngine(origin, knowing, access)).toEqual(forKnowing);
    const info = await userinfo(origin, access);
    const guard = await jsonResponse(
      await fetch(`${origin}/own`, { headers: { authorization: `Bearer ${access}`, accept: 'application/json' } }),
    );
    if (!knows || !forgets) {
      expect([knows, forgets, forKnowing, forUnaware, forOwn]).toEqual([
        undefined,
        undefined,
        ...Array.from({ length: 3 }, () => ({ active: false })),
      ]);
      expect([info.status, guard.status]).toEqual([401, 401]);
      return;
    }
    this.active += 1;
    expect(this.#mustEnd(held, knows === 'by a pseudonym')).toEqual([]);
    if (knows !== 'by a pseudonym') expect(knows.filter((scope) => this.#mustLack(held, scope))).toEqual([]);
    const said = { active: true, client_id: own.id, sub: forKnowing['sub'] };
    expect([forKnowing, forUnaware, forOwn]).toMatchObject([said, said, said]);
    if (knows === 'by a pseudonym') {
      // Only UserInfo takes such a token, and says who it is as introspection does.
      expect([forKnowing['sub'] === memberId, guard.status, info.status]).toEqual([false, 403, 200]);
      expect(info.body['sub']).toBe(forKnowing['sub']);
      return;
    }
    expect(forKnowing['sub']).toBe(memberId);
    expect([scopesIn(forKnowing), scopesIn(forUnaware), scopesIn(forOwn)]).toEqual([knows, forgets, forgets]);
    expect([guard.status, guard.body]).toEqual([200, { scopes: expect.any(Array), sub: memberId }]);
    expect(scopesIn({ scope: [guard.body['scopes']].flat().join(' ') })).toEqual(knows);
    expect([info.status, info.body['sub']]).toEqual(forgets.includes('openid') ? [200, memberId] : [403, undefined]);
  }

  /** Why a token must not be active, by what this test knows itself. */
  #mustEnd({ school: id, person: memberId, client: { id: clientId }, only }: Held, isPseudonymous: boolean): string[] {
    const hasRole = (this.#releases.schools.people[id]?.[memberId]?.roles.length ?? 0) > 0;
    const all = this.#rulesFor(id, clientId);
    return [
      ...(hasRole ? [] : ['the person has no role']),
      ...(this.#release === 'second' && only?.team ? ['its limit is of a type that is gone'] : []),
      ...all
        .filter(({ access, ask }) => access === 'blocked' || ask)
        .map(({ access, ask }) => `a rule says ${ask ? 'ask' : access}`),
      ...(all.some(({ roles }) => roles) ? ['a rule is for teachers'] : []),
      ...(!isPseudonymous && all.some(({ pseudonym }) => pseudonym) ? ['a rule gives pseudonyms alone'] : []),
    ];
  }

  /** Whether a rule takes a scope away, by what this test knows itself. */
  #mustLack({ school: id, client: { id: clientId }, only }: Held, scope: string): boolean {
    return this.#rulesFor(id, clientId).some(
      ({ access, scopes, limited }) =>
        (access === 'view_only' && scope.endsWith(':write')) ||
        scopes?.includes(scope) === false ||
        (limited !== undefined && !only?.class && classes.scopes.includes(scope)),
    );
  }

  #rulesFor(id: SchoolId, clientId: string): AppRule[] {
    return [this.#platformRule, this.#schoolRules.get(`${id} ${clientId}`)].flatMap((each) => each ?? []);
  }

  /** The scopes of a token; nothing if it is refused. What fails otherwise is a fault. */
  async #verified(
    id: SchoolId,
    token: string,
    honours: readonly string[],
  ): Promise<readonly string[] | 'by a pseudonym' | undefined> {
    try {
      const { scopes } = await this.#campus.verify(this.#site(id), token, {
        audience: ['operator', 'member'],
        honours,
      });
      return scopes.toSorted();
    } catch (error) {
      if (!(error instanceof OAuthError) || error.status >= 500) throw error;
      return error.error === 'insufficient_scope' ? 'by a pseudonym' : undefined;
    }
  }

  async #connect({ school: id, person: memberId, client: own, limits: wanted }: Connecting) {
    const origin = this.#origin(id);
    const asking = await new Asking(this.#releases.schools.browser(memberId), origin, own).open();
    if (asking.html.includes('value="again"')) await asking.press(['decision', 'again']);
    const choices = (['class', 'team'] as const).filter((type) => asking.html.includes(`name="limit.${type}"`));
    if (!asking.html.includes('value="allow"')) return;
    const chosen = choices.flatMap((type): [string, string | readonly string[]][] => {
      const only = wanted[type];
      return only
        ? [
            [`limit.${type}`, 'some'],
            [`only.${type}`, only],
          ]
        : [[`limit.${type}`, 'all']];
    });
    await asking.allow(Object.fromEntries(chosen));
    if (!asking.stop?.url.searchParams.has('code')) return;
    const { body } = await asking.tokens();
    if (body['error'] !== undefined) return;
    this.#families += 1;
    this.#keep({ school: id, person: memberId, client: own, family: this.#families }, body);
  }

  async #use(taken: Extract<Step, { which: number }>, held: Held): Promise<void> {
    const { connections } = this.#campus;
    const site = this.#site(held.school);
    const own = (await connections.list(site, held.person)).find(({ clientId }) => clientId === held.client.id);
    const id = own?.id ?? '';
    if (taken.do === 'refresh') return this.#refresh(held);
    if (taken.do === 'reuse') return this.#reuse(held);
    if (taken.do === 'revoke') await revokeToken(site.origin, held.client, held.refresh);
    if (taken.do === 'disconnect') await connections.revoke(site, held.person, id);
    // Whatever they refuse is no part of this.
    if (taken.do === 'narrow') await connections.narrow(site, held.person, id, ['courses:read']).catch(() => undefined);
    if (taken.do === 'limit') {
      const declared = this.#release === 'first' ? taken.limits : { class: taken.limits.class };
      await connections
        .limit(site, held.person, id, { ...(declared.class && { class: declared.class }) })
        .catch(() => undefined);
    }
  }

  /** Introspection has said whether it works, and what comes of it. */
  async #refresh(held: Held): Promise<void> {
    const origin = this.#origin(held.school);
    const before = (await introspect(origin, held.client, held.refresh)).body;
    const { status, body } = await refresh(origin, held.client, held.refresh);
    expect([status, body['error']]).toEqual(before['active'] === true ? [200, undefined] : [400, 'invalid_grant']);
    if (status !== 200) return;
    this.#spent.add(held.refresh);
    const after = (await introspect(origin, held.client, body['access_token'])).body;
    expect([after['sub'], scopesIn(after)]).toEqual([before['sub'], scopesIn(before)]);
    this.#keep(held, body);
  }

  /** A second use of a refresh token ends all that came of its consent. */
  async #reuse(held: Held): Promise<void> {
    const origin = this.#origin(held.school);
    const family = this.#held.filter((each) => each.family === held.family);
    const before = await Promise.all(family.map((each) => introspect(origin, held.client, each.refresh)));
    if (!before.some(({ body }) => body['active'] === true)) return;
    if (!this.#spent.has(held.refresh)) expect((await refresh(origin, held.client, held.refresh)).status).toBe(200);
    this.#spent.add(held.refresh);
    const again = await refresh(origin, held.client, held.refresh);
    expect([again.status, again.body['error']]).toEqual([400, 'invalid_grant']);
    for (const each of family) {
      await expect(this.#verified(each.school, each.access, ['class'])).resolves.toBeUndefined();
      expect((await introspect(origin, held.client, each.refresh)).body).toEqual({ active: false });
    }
  }

  #keep(of: Pick<Held, 'school' | 'person' | 'client' | 'family'>, body: Readonly<Record<string, unknown>>): void {
    const details: unknown = body['authorization_details'];
    const only = Array.isArray(details)
      ? Object.fromEntries(details.map(({ type, identifiers }) => [type, identifiers]))
      : undefined;
    const held = { ...of, access: String(body['access_token']), refresh: String(body['refresh_token']), only };
    this.#held = [held, ...this.#held].slice(0, 4);
  }

  #serve(name: 'first' | 'second'): void {
    this.#release = name;
    this.#releases.serve(name);
  }

  #give(id: SchoolId, memberId: string, roles: readonly string[]): void {
    const all = this.#releases.schools.people;
    all[id] = { ...all[id], [memberId]: { id: memberId, name: memberId, email: `${memberId}@example.com`, roles } };
  }

  get #campus() {
    return this.#releases.campus;
  }

  #site(id: SchoolId) {
    return siteOf(this.#releases.schools, id);
  }

  #origin(id: SchoolId): string {
    return this.#releases.schools[id];
  }
}

function scopesIn({ scope }: Readonly<Record<string, unknown>>): string[] {
  return typeof scope === 'string' ? scope.split(' ').filter(Boolean).toSorted() : [];
}

/** The engine answers where a field is repeated. */
async function introspectedByEngine(origin: string, caller: TestClient, token: string): Promise<unknown> {
  const body = new URLSearchParams({ token, client_id: caller.id, client_secret: String(caller.secret) });
  for (const value of ['once', 'twice']) body.append('repeated', value);
  return (await jsonResponse(await fetch(`${origin}/api/oauth/introspect`, { method: 'POST', body }))).body;
}

let world: World;
afterAll(() => world.close());

test('whatever happens, all agree on what every token may do', async () => {
  world = await World.on(memoryStore());
  const random = cases(4);
  const steps = fc.array(step, { minLength: 6, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(connecting, steps, async (begin, rest) => {
      await world.reset();
      for (const each of [begin, ...rest]) {
        await world.take(each);
        await world.agree();
      }
    }),
    { ...random, numRuns: examples.length + random.numRuns, examples: [...examples] },
  );
  // Otherwise nothing was given at all, and this proves nothing.
  expect(world.active).toBeGreaterThan(10);
});
