// Compiles only if what is declared apart from `createCampus` can name the types, and if tools and resolvers get them.
import {
  type AccessPolicy,
  type Campus,
  type CampusHooks,
  type CampusOptions,
  createCampus,
  type HostClaims,
  type RegistrationPolicy,
  type SchoolPlatform,
  type Site,
} from 'campus-oidc';
import { memoryStore } from 'campus-oidc/adapters/memory';
import {
  builtInTools,
  defineTool,
  mcp,
  myCourses,
  type PublicCatalogue,
  type Tool,
  type ToolCall,
} from 'campus-oidc/mcp';
import {
  memberApi,
  type MemberContext,
  type MemberData,
  type MemberResolvers,
  type PartialMemberData,
} from 'campus-oidc/member-api';
import { keys, people, type Person, same, type School, schools } from './support.ts';

const store = memoryStore();

declare const platform: SchoolPlatform<School, Person>;
declare const data: MemberData<School, Person>;
declare const catalogue: PublicCatalogue<School>;
/** Schools and people without anything beyond what the package needs. */
declare const plain: SchoolPlatform;

const adultsOnly: AccessPolicy<School, Person> = ({ member }) =>
  member && member.birthYear > 2015 ? { access: 'blocked' } : undefined;
const claims: HostClaims<School, Person> = ({ site }) => ({ 'school:plan': site.plan });
const hooks: CampusHooks<School, Person> = { connected: ({ site, member }) => void [site.plan, member?.birthYear] };
const registration: RegistrationPolicy<School> = { name: 'by plan', decide: ({ site }) => void site.plan };
const resolvers: MemberResolvers<School, Person> = {
  Viewer: {
    plan: (_viewer, _args, { site }) => site.plan,
    born: (_viewer: unknown, _args: unknown, { viewer }: MemberContext<School, Person>) => viewer.birthYear,
  },
};
const planTool = defineTool<{ readonly year: number }, 'operator' | 'member', School, Person>({
  name: 'plan',
  description: 'Says the plan.',
  access: { scopes: ['school:read'] },
  run: ({ year }, { site, token }) => `${site.plan} ${token.member.birthYear + year}`,
});
const annotated = defineTool({
  name: 'plan_of_anyone',
  description: 'Says the plan.',
  access: 'public',
  run: (_args, { site, token }: ToolCall<'member', School, Person>) => `${site.plan} ${token?.member.birthYear}`,
});
const tools = [...builtInTools({ data, catalogue }), planTool, annotated, myCourses(data)];

// They fit a campus of these types, beside what is for every campus.
const everyone: AccessPolicy = ({ site }) => (site.connectionsEnabled ? undefined : { access: 'blocked' });
const common: Tool = defineTool({ name: 'common', description: 'For every school.', access: 'public', run: () => '' });
const campus = createCampus({
  platform,
  store,
  keys,
  access: [everyone, adultsOnly],
  claims,
  hooks,
  registration: [registration],
  memberApi: memberApi({ data, resolvers }),
  mcp: mcp({ tools: [...tools, common] }),
});
same<typeof campus, Campus<School, Person>>(true);

// And no other.
// @ts-expect-error without `at` it would be asked at each use, which cannot wait
export const waiting: AccessPolicy = { decide: async () => ({ access: 'blocked' }) };
// @ts-expect-error it waits at use
export const atUse: AccessPolicy = { at: ['connect', 'use'], decide: async () => undefined };
// @ts-expect-error these schools have no plan
createCampus({ platform: plain, store, keys, access: [adultsOnly] });
// @ts-expect-error these schools have no plan
createCampus({ platform: plain, store, keys, claims });
// @ts-expect-error these schools have no plan
createCampus({ platform: plain, store, keys, hooks });
// @ts-expect-error these schools have no plan
createCampus({ platform: plain, store, keys, memberApi: memberApi({ data }) });
// @ts-expect-error these schools have no plan
createCampus({ platform: plain, store, keys, mcp: mcp({ tools: [planTool] }) });

// With type arguments, tools and resolvers inside get the types too.
createCampus<School, Person>({
  platform: {
    findSite: (origin) => schools.byOrigin(origin),
    signedInMember: () => undefined,
    signInUrl: (_ctx, site) => site.plan,
    findMember: (site, id) => people.at(site, id),
  },
  store,
  keys,
  scopes: { own: [{ scope: 'lessons:read', area: 'Lessons', access: 'read', text: 'View lessons' }] },
  clients: [{ clientId: 'app', clientName: 'App', audience: 'operator', redirectUris: [], scopes: ['lessons:read'] }],
  memberApi: memberApi({
    resolvers: {
      Viewer: {
        plan: (_viewer, _args, { site, viewer, token }) => {
          same<typeof site, School>(true);
          same<typeof viewer, Person>(true);
          same<typeof token.member, Person>(true);
        },
      },
    },
  }),
  mcp: mcp({
    tools: [
      ...builtInTools<School, Person>({
        catalogue: { courses: ({ plan }) => ({ nodes: [], totalCount: plan.length, hasNextPage: false }) },
      }),
      defineTool({
        name: 'plan',
        description: 'Says the plan.',
        access: { scopes: ['school:read'] },
        run: (_args, { site, token }) => {
          same<typeof site, School>(true);
          same<typeof token.member, Person>(true);
          return site.plan;
        },
      }),
    ],
  }),
});

// A plug-in that is declared apart names them once.
export const plugin = mcp<School, Person>({
  tools: [defineTool({ name: 'plan', description: '', access: 'public', run: (_args, { site }) => site.plan })],
});

// What was written without type parameters stays as it is.
const options: CampusOptions = { platform: plain, store, keys, access: [everyone] };
const before: Campus = createCampus(options);
const list: Tool<unknown>[] = [...builtInTools({}), common];
mcp({ tools: list });
mcp({
  tools: [
    {
      name: 'inline',
      description: 'An object without defineTool.',
      access: 'public',
      run: (args, { site, token }) => {
        same<typeof args, unknown>(true);
        same<typeof site, Site>(true);
        return token?.clientId ?? 'nobody';
      },
    },
  ],
});
export { before };

// A platform that has a part of the data: with its own types, and of the functions that it has.
const someData: PartialMemberData<School, Person> = {
  unreadNotificationCount: (viewer, site) => {
    same<typeof site, School>(true);
    same<typeof viewer, Person>(true);
    return 0;
  },
};
memberApi<School, Person>({ data: someData });
memberApi({ data: { unreadNotificationCount: () => 0, schools: undefined } });
// @ts-expect-error there is no such function
memberApi({ data: { unreadCount: () => 0 } });
// @ts-expect-error the count is a number
memberApi({ data: { unreadNotificationCount: () => 'none' } });
builtInTools({ data: someData });
