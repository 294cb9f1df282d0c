import type { Context } from 'koa';
import * as z from 'zod';
import type { MemberData } from '../host/member-data.ts';
import type { Member, PlatformSession, SchoolPlatform, SchoolRole, SignInHint, Site } from '../host/school-platform.ts';
import type { PublicCatalogue } from '../host/public-catalogue.ts';
import { adminRolesSchema, operatorRolesSchema } from '../options/instances.ts';
import { group, type Shape, text } from '../kernel/option-schemas.ts';
import { originsOf } from '../host/origins.ts';
import { readOptions } from '../kernel/validate.ts';
import { type FakeData, fakeCatalogue, fakeMemberData } from './fake-data.ts';

/** A school of a fake platform. */
export interface FakeSchool extends Omit<Site, 'connectionsEnabled'> {
  /** @default true */
  readonly connectionsEnabled?: boolean | undefined;
}

/** A person at one school of a fake platform. Without `name` and `email`, both are made from the id. `null` omits them. */
export interface FakePerson extends Partial<Omit<Member, 'roles'>> {
  /** The roles, highest privilege first. Without a role, the person has no access. */
  readonly roles: readonly string[];
}

/** People by the id of their school and their own id: `{ harbour: { olivia: { roles: ['owner'] } } }`. */
export type FakePeople<Person extends FakePerson = FakePerson> = Readonly<
  Record<string, Readonly<Record<string, Person>>>
>;

/** Options of `fakePlatform`. They are read at each call, so a test can change them. */
export interface FakePlatformOptions<School extends FakeSchool = FakeSchool, Person extends FakePerson = FakePerson> {
  readonly schools: readonly School[];
  readonly people: FakePeople<Person>;
  /** The data of `memberData` and `catalogue`. @default no data */
  readonly data?: FakeData | undefined;
  /** @default ['owner', 'admin'] */
  readonly operatorRoles?: readonly string[] | undefined;
  /** @default operatorRoles */
  readonly adminRoles?: readonly string[] | undefined;
  /** The roles of every school. @default not known, so that rules can name any */
  readonly roles?: readonly SchoolRole[] | undefined;
}

/** The details of a fake sign-in. */
export interface FakeSignIn {
  /** When the person signed in, in seconds since the epoch. @default not reported */
  readonly authTime?: number | undefined;
}

/**
 * A platform over plain objects. Its session is two cookies: `person`, the URI-encoded id of the member, and optionally `auth_time`, in
 * seconds since the epoch. Anyone who sends them is signed in, so it is for tests only.
 *
 * To replace a method, spread it: `{ ...fakePlatform(options), findMember }` is a `SchoolPlatform` without the rest.
 */
export interface FakePlatform<School extends Site = Site, Person extends Member = Member> extends SchoolPlatform<
  School,
  Person
> {
  /** Returns the school with this origin. */
  readonly findSite: (origin: string) => School | undefined;
  /** Returns the person in the cookies. */
  readonly signedInMember: (ctx: Context, site: Site) => PlatformSession | undefined;
  /** Returns `/sign-in` at the school, with the hint in the query. The page does not exist. */
  readonly signInUrl: (ctx: Context, site: Site, returnTo: string, hint: SignInHint) => string;
  /** Returns the person. A missing name or e-mail address is made from the id. */
  readonly findMember: (site: { readonly id: string }, memberId: string) => Person | undefined;
  /** Returns the option `roles`. */
  readonly roles: (site: Site) => readonly SchoolRole[] | undefined;
  /** The schools, as `findSite` returns them. */
  readonly schools: readonly School[];
  /** For `memberApi({ data })` and `builtInTools({ data })`. */
  readonly memberData: MemberData;
  /** For `builtInTools({ catalogue })`. */
  readonly catalogue: PublicCatalogue;
  /**
   * Signs a member in. Returns the `Cookie` header of a browser with their session.
   *
   * @throws TypeError if no school has this person
   */
  signIn(memberId: string, details?: FakeSignIn): string;
}

/** What `fakePlatform` returns. A spread copies its own members, and leaves out its getters and methods. */
export class PlainPlatform<
  School extends FakeSchool = FakeSchool,
  Person extends FakePerson = FakePerson,
> implements FakePlatform<School & Site, Person & Member> {
  readonly findSite: (origin: string) => (School & Site) | undefined;
  readonly signedInMember = sessionOf;
  readonly signInUrl = signInUrl;
  readonly findMember: (site: { readonly id: string }, memberId: string) => (Person & Member) | undefined;
  readonly roles: () => readonly SchoolRole[] | undefined;
  readonly operatorRoles: readonly string[] | undefined;
  readonly adminRoles: readonly string[] | undefined;
  readonly #options: FakePlatformOptions<School, Person>;
  readonly #memberData: MemberData;
  readonly #catalogue: PublicCatalogue;

  constructor(options: FakePlatformOptions<School, Person>) {
    readOptions(schema, options, 'fakePlatform');
    const { data = {}, operatorRoles, adminRoles } = options;
    checkSchools(options, data);
    this.#options = options;
    this.#memberData = fakeMemberData(data, (memberId) => this.#schoolsOf(memberId));
    this.#catalogue = fakeCatalogue(data);
    this.operatorRoles = operatorRoles;
    this.adminRoles = adminRoles;
    this.roles = () => options.roles;
    this.findSite = (origin) => this.schools.find((school) => originsOf(school).includes(origin));
    this.findMember = ({ id: siteId }, memberId) => {
      const people = options.people[siteId] ?? {};
      const person = Object.hasOwn(people, memberId) ? people[memberId] : undefined;
      return person && { id: memberId, name: memberId, email: `${memberId}@example.com`, ...person };
    };
  }

  get schools(): readonly (School & Site)[] {
    return this.#options.schools.map((school) => ({
      ...school,
      connectionsEnabled: school.connectionsEnabled ?? true,
    }));
  }

  get memberData(): MemberData {
    return this.#memberData;
  }

  get catalogue(): PublicCatalogue {
    return this.#catalogue;
  }

  signIn(memberId: string, { authTime }: FakeSignIn = {}): string {
    if (!this.schools.some((school) => this.findMember(school, memberId))) {
      throw new TypeError(`memberId must be a person of one of the schools, not ${JSON.stringify(memberId)}`);
    }
    const person = `person=${encodeURIComponent(memberId)}`;
    return authTime === undefined ? person : `${person}; auth_time=${authTime}`;
  }

  /** The first person of a school whose roles suit. */
  memberWithRole(origin: string, suits: (roles: readonly string[]) => boolean): string | undefined {
    const people = this.#options.people[this.findSite(origin)?.id ?? ''] ?? {};
    return Object.keys(people).find((id) => suits(people[id]?.roles ?? []));
  }

  #schoolsOf(memberId: string): readonly (Site & { readonly roles: readonly string[] })[] {
    return this.schools.flatMap((school) => {
      const { roles = [] } = this.findMember(school, memberId) ?? {};
      return roles.length > 0 ? { ...school, roles } : [];
    });
  }
}

const perSchool = z.looseObject({}, 'be an object by school');
const schema = group({
  schools: z.array(z.looseObject({ id: text(), origin: text(), name: text() }), 'be an array of schools'),
  people: perSchool,
  data: group({ members: perSchool.optional(), courses: perSchool.optional() } satisfies Shape<FakeData>).optional(),
  operatorRoles: operatorRolesSchema.optional(),
  adminRoles: adminRolesSchema,
  roles: z
    .array(
      group({ role: text(), name: text().optional() } satisfies Shape<SchoolRole>, 'be { role, name }'),
      'be an array of { role, name }',
    )
    .optional(),
} satisfies Shape<FakePlatformOptions>);

function checkSchools({ schools, people }: FakePlatformOptions, { members, courses }: FakeData): void {
  const ids = schools.map(({ id }) => id);
  for (const [name, bySchool] of Object.entries({ people, 'data.members': members, 'data.courses': courses })) {
    const unknown = Object.keys(bySchool ?? {}).find((id) => !ids.includes(id));
    if (unknown === undefined) continue;
    throw new TypeError(`${name}.${unknown} is for a school that is not in schools; there are ${ids.join(', ')}`);
  }
}

function sessionOf(ctx: Context): PlatformSession | undefined {
  const memberId = ctx.cookies.get('person', { signed: false });
  const authTime = ctx.cookies.get('auth_time', { signed: false });
  if (!memberId) return undefined;
  return { memberId: decodeURIComponent(memberId), ...(authTime && { authTime: Number(authTime) }), amr: ['pwd'] };
}

function signInUrl(_ctx: Context, { origin }: Site, returnTo: string, hint: SignInHint): string {
  const query = new URLSearchParams({
    return_to: returnTo,
    reauthenticate: String(hint.reauthenticate),
    select: String(hint.selectAccount),
    hint: hint.loginHint ?? '',
  });
  return `${origin}/sign-in?${query.toString()}`;
}

/**
 * Creates a platform over plain objects, for tests: pass it to `createCampus` as `platform`, and sign people in with `signIn`. Additional
 * members of schools and people keep their types wherever the campus passes them on.
 *
 * @throws TypeError that names a wrong option, or people or data at a school that does not exist
 */
export function fakePlatform<School extends FakeSchool, Person extends FakePerson>(
  options: FakePlatformOptions<School, Person>,
): FakePlatform<School & Site, Person & Member> {
  return new PlainPlatform(options);
}
