// Compiles only if `createCampus` infers the types of schools and people, without a type argument.
import {
  type Guard,
  type VerifiedToken,
  type VerifiedServiceToken,
  type Campus,
  createCampus,
  html,
  type Member,
  type PlatformSession,
  type Site,
} from 'campus-oidc';
import { memoryStore } from 'campus-oidc/adapters/memory';
import { unless } from 'campus-oidc/policies';
import { createTestCampus, fakePlatform, issueTokens } from 'campus-oidc/testing';
import Koa, { type Context } from 'koa';
import { keys, people, type Person, same, type School, schools } from './support.ts';

const store = memoryStore();

const campus = createCampus({
  platform: {
    findSite: (origin) => schools.byOrigin(origin),
    signedInMember: (_ctx, site) => (site.plan === 'pro' ? { memberId: 'olivia' } : undefined),
    signInUrl: (_ctx, site) => `${site.origin}/sign-in?plan=${site.plan}`,
    findMember: (site, memberId) => people.at(site, memberId),
    findService: (site) => (site.plan === 'pro' ? { roles: [] } : undefined),
    roles: (site) => (site.plan === 'pro' ? [{ role: 'owner', name: 'Owner' }] : null),
  },
  store,
  keys,
  access: [
    ({ site, member }) => {
      same<typeof site, School>(true);
      same<typeof member, Person | undefined>(true);
      return undefined;
    },
    {
      at: ['connect', 'refresh'],
      decide: async ({ site, member }) => {
        same<typeof site, School>(true);
        same<typeof member, Person | undefined>(true);
        return undefined;
      },
    },
    unless(({ app }) => app.verified, { access: 'view_only' }),
  ],
  claims: ({ site, member }) => ({ 'school:plan': site.plan, 'school:born': member.birthYear }),
  lifetimes: ({ plan }) => ({ accessToken: plan === 'pro' ? 600 : 60 }),
  limits: ({ plan }) => plan === 'pro' && { refreshes: { perFamily: 5 } },
  registration: [{ name: 'by plan', decide: ({ site }) => void site.plan }],
  hooks: {
    connected: ({ site, member }) => {
      same<typeof site, School>(true);
      same<typeof member, Person | undefined>(true);
    },
  },
  pages: {
    template: ({ site, content }) => html`<!doctype html>${site.plan}${content}`,
    consentPage: ({ site, member, form }) => html`${site.plan}${member.birthYear}${form.fields}`,
  },
  log: { list: ({ plan }) => ({ events: plan === 'pro' ? [] : [] }) },
});

new Koa().use(campus.requireAccess({ scopes: ['courses:read'] })).use((ctx) => {
  same<typeof ctx.state.token, VerifiedToken<School, Person>>(true);
});
new Koa().use(campus.requireAccess({ anonymous: true })).use((ctx) => {
  same<typeof ctx.state.token, VerifiedToken<School, Person> | undefined>(true);
});
new Koa().use(campus.requireAccess({ audience: ['service'] })).use((ctx) => {
  same<typeof ctx.state.token.site, School>(true);
  same<typeof ctx.state.token.member, undefined>(true);
});

// The guard of other frameworks, with its token.
const readsCourses = campus.guard({ scopes: ['courses:read'] });
same<typeof readsCourses, Guard<VerifiedToken<School, Person>>>(true);
const forAnyone = campus.guard({ anonymous: true });
same<ReturnType<typeof forAnyone.tokenOf>, VerifiedToken<School, Person> | undefined>(true);
const forServices = campus.guard({ audience: ['service'], proxy: true });
same<ReturnType<typeof forServices.tokenOf>, VerifiedServiceToken<School>>(true);
export async function inWebHandler(request: Request): Promise<Response> {
  const passed = await readsCourses(request);
  if (passed instanceof Response) return passed;
  same<typeof passed.token, VerifiedToken<School, Person>>(true);
  return new Response(String(passed.token.member.birthYear), { headers: passed.headers });
}
// @ts-expect-error the option is `scopes`
campus.guard({ scope: ['courses:read'] });

new Koa().use(async (ctx) => {
  const site = await campus.siteOf(ctx);
  same<typeof site, School | undefined>(true);
  if (!site) return;
  const { member } = await campus.verify(site, 'token');
  same<typeof member, Person>(true);
});

// A campus of own types is a campus, for what takes any.
const any: Campus = campus;
export const tokens = issueTokens(campus, {
  site: 'https://harbour.example',
  memberId: 'sam',
  clientId: 'app',
  scopes: [],
});

// @ts-expect-error and no campus of types that it does not have
export const wrong: Campus<School & { readonly city: string }, Person> = campus;

class Database {
  readonly #schools: School[] = [];
  findSite = (origin: string): School | null => this.#schools.find((school) => school.origin === origin) ?? null;
  signedInMember = (): undefined => undefined;
  signInUrl = (): string => 'https://platform.example/sign-in';
  async findMember(school: School, id: string): Promise<Person | undefined> {
    return (await people.at(school, id)) ?? undefined;
  }
}

// A platform that is declared apart, as an object of a class.
const declaredApart = createCampus({
  access: [
    ({ site, member }) => {
      same<typeof site, School>(true);
      same<typeof member, Person | undefined>(true);
      return undefined;
    },
  ],
  platform: new Database(),
  store,
  keys,
});
same<typeof declaredApart, Campus<School, Person>>(true);

// Functions for every site, declared apart, say nothing of the schools.
declare const session: (ctx: Context, site: Site) => PlatformSession | undefined;
declare const signInUrl: (ctx: Context, site: Pick<Site, 'origin'>) => string;
const composed = createCampus({
  platform: {
    signedInMember: session,
    signInUrl,
    findSite: (origin) => schools.byOrigin(origin),
    findMember: (site: Pick<Site, 'id'>): Person | undefined => (site.id === '' ? undefined : undefined),
  },
  store,
  keys,
  access: [
    ({ site, member }) => (site.plan === 'pro' && (member?.birthYear ?? 0) > 2015 ? { access: 'blocked' } : undefined),
  ],
});
same<typeof composed, Campus<School, Person>>(true);

// In tests of the embedder.
const tested = createTestCampus(
  { platform: new Database(), store, keys, claims: ({ site }) => ({ 'a:b': site.plan }) },
  {},
);
same<typeof tested, Campus<School, Person>>(true);

// Nothing is known of rows that are `any`, nor of a function that finds nobody: then it is the base type.
declare const row: ReturnType<typeof JSON.parse>;
const untyped = createCampus({
  platform: {
    findSite: async () => row,
    signedInMember: () => undefined,
    signInUrl: () => '',
    findMember: () => {
      throw new Error('there is no member database yet');
    },
  },
  store,
  keys,
  access: [
    ({ site, member }) => {
      same<typeof site, Site>(true);
      same<typeof member, Member | undefined>(true);
      return undefined;
    },
  ],
});
same<typeof untyped, Campus>(true);

createCampus({
  platform: {
    // @ts-expect-error a site has an origin
    findSite: () => ({ id: 'harbour', name: 'Harbour School', connectionsEnabled: true }),
    signedInMember: () => undefined,
    signInUrl: () => '',
    findMember: () => undefined,
  },
  store,
  keys,
});
export { any };

// The platform of a test has the types of the objects that it is made of.
const harbour = { id: 'harbour', origin: 'https://harbour.example', name: 'Harbour School' };
const ofObjects = fakePlatform({
  schools: [{ ...harbour, plan: 'pro' }],
  people: { harbour: { sam: { roles: ['student'], birthYear: 2012 }, olivia: { roles: ['owner'], birthYear: 1980 } } },
});
createCampus({
  platform: ofObjects,
  store,
  keys,
  claims: ({ site, member }) => {
    same<typeof site.plan, string>(true);
    same<typeof member.birthYear, number>(true);
    return {};
  },
});

// It can be of the types of the platform that it stands for.
const ofTypes = fakePlatform<School, Person>({
  schools: [{ ...harbour, connectionsEnabled: true, plan: 'pro' }],
  people: {
    harbour: { sam: { id: 'sam', name: 'Sam', email: 'sam@example.com', roles: ['student'], birthYear: 2012 } },
  },
});
const inTests = createCampus({ platform: ofTypes, store, keys });
export const ofTests: Campus<School, Person> = inTests;
export const withoutPlan = fakePlatform<School, Person>({
  // @ts-expect-error every school has a plan
  schools: [{ ...harbour, connectionsEnabled: true }],
  people: {},
});
