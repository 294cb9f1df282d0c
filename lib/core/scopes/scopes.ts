/** What a scope permits: to know who someone is, to read, or to write. */
export type ScopeAccess = 'identity' | 'read' | 'write';

/** One row of the scope catalogue. */
export interface ScopeRow<Name extends string = string> {
  /** The name that clients request: printable ASCII without space, `"` and `\\`. RFC 6749 section 3.3. */
  readonly scope: Name;
  /** The heading under which the consent page lists it. */
  readonly area: string;
  /** The kind of permission. Only three scopes of `scopeCatalogue` have `identity`. */
  readonly access: ScopeAccess;
  /** The permission in words, in sentence case, as the pages show it: `Create, change and delete courses`. */
  readonly text: string;
  /**
   * The clients that may request it. Use `operator` for the Admin API, and `member` for a person's own account. Specification: What the
   * service does 2; Registration rules 6. @default 'operator'
   */
  readonly audience?: 'member' | 'operator' | 'any' | undefined;
  /** The warnings that the consent page shows next to it: it can delete, change roles or is about money. @default nothing */
  readonly marks?: readonly ScopeMark[] | undefined;
}

export const scopeMarks = ['deletion', 'roles', 'payments'] as const;

/** What consent marks beside a scope. */
export type ScopeMark = (typeof scopeMarks)[number];

/** The scopes of the specification. Specification: Scopes. */
export const scopeCatalogue = [
  {
    scope: 'openid',
    area: 'Identity',
    access: 'identity',
    text: 'Know who you are and your roles at this school',
    audience: 'any',
  },
  { scope: 'profile', area: 'Identity', access: 'identity', text: 'View your name and picture', audience: 'any' },
  { scope: 'email', area: 'Identity', access: 'identity', text: 'View your email address', audience: 'any' },
  { scope: 'courses:read', area: 'Courses', access: 'read', text: 'View courses' },
  { scope: 'courses:write', area: 'Courses', access: 'write', text: 'Create, change and delete courses' },
  { scope: 'students:read', area: 'Students', access: 'read', text: 'View students and their progress' },
  { scope: 'students:write', area: 'Students', access: 'write', text: 'Add, change and remove students' },
  { scope: 'members:read', area: 'Members', access: 'read', text: 'View members and their roles' },
  { scope: 'members:write', area: 'Members', access: 'write', text: 'Add, change and remove members and their roles' },
  { scope: 'analytics:read', area: 'Analytics', access: 'read', text: 'View reports and statistics' },
  { scope: 'curriculum:read', area: 'Curriculum', access: 'read', text: 'View sections and lectures' },
  {
    scope: 'curriculum:write',
    area: 'Curriculum',
    access: 'write',
    text: 'Create, change and delete sections and lectures',
  },
  { scope: 'orders:read', area: 'Orders', access: 'read', text: 'View orders and payments' },
  { scope: 'school:read', area: 'School', access: 'read', text: 'View the school’s settings' },
  { scope: 'school:write', area: 'School', access: 'write', text: 'Change the school’s settings' },
  { scope: 'appearance:read', area: 'Appearance', access: 'read', text: 'View the school’s design' },
  { scope: 'appearance:write', area: 'Appearance', access: 'write', text: 'Change the school’s design' },
  { scope: 'events:read', area: 'Events', access: 'read', text: 'View events and who registered for them' },
  { scope: 'events:write', area: 'Events', access: 'write', text: 'Create, change and cancel events' },
  { scope: 'membership_plans:read', area: 'Membership plans', access: 'read', text: 'View membership plans' },
  {
    scope: 'membership_plans:write',
    area: 'Membership plans',
    access: 'write',
    text: 'Create, change and delete membership plans',
  },
  { scope: 'coupons:read', area: 'Coupons', access: 'read', text: 'View coupons' },
  { scope: 'coupons:write', area: 'Coupons', access: 'write', text: 'Create, change and delete coupons' },
  { scope: 'posts:read', area: 'Posts', access: 'read', text: 'View posts and drafts' },
  { scope: 'posts:write', area: 'Posts', access: 'write', text: 'Write, change and delete posts' },
  { scope: 'subscriptions:read', area: 'Subscriptions', access: 'read', text: 'View subscriptions' },
  { scope: 'subscriptions:write', area: 'Subscriptions', access: 'write', text: 'Change and cancel subscriptions' },
  { scope: 'digital_products:read', area: 'Digital products', access: 'read', text: 'View digital products' },
  {
    scope: 'digital_products:write',
    area: 'Digital products',
    access: 'write',
    text: 'Create, change and delete digital products',
  },
  { scope: 'comments:read', area: 'Comments', access: 'read', text: 'View comments' },
  { scope: 'lecturers:read', area: 'Lecturers', access: 'read', text: 'View lecturers' },
  { scope: 'lecturers:write', area: 'Lecturers', access: 'write', text: 'Add, change and remove lecturers' },
  { scope: 'storage:write', area: 'Storage', access: 'write', text: 'Upload files' },
  { scope: 'forms:read', area: 'Forms', access: 'read', text: 'View forms and their answers' },
  { scope: 'pages:read', area: 'Pages', access: 'read', text: 'View the school’s pages' },
  { scope: 'pages:write', area: 'Pages', access: 'write', text: 'Create, change and delete the school’s pages' },
  {
    scope: 'account:read',
    area: 'Your account',
    access: 'read',
    text: 'View your account and notifications',
    audience: 'member',
  },
  {
    scope: 'account:write',
    area: 'Your account',
    access: 'write',
    text: 'Mark your notifications as read and change what you are notified about',
    audience: 'any',
  },
] as const;

/** A scope of `scopeCatalogue`. */
export type StandardScope = (typeof scopeCatalogue)[number]['scope'];

/** The marks of the scopes of `scopeCatalogue`. */
const marked: Readonly<Record<ScopeMark, string>> = {
  deletion:
    'courses:write students:write members:write curriculum:write membership_plans:write coupons:write posts:write digital_products:write lecturers:write pages:write',
  roles: 'members:write',
  payments: 'orders:read membership_plans:write coupons:write subscriptions:write digital_products:write',
};

function marksOf({ scope, marks }: ScopeRow): { readonly marks?: readonly ScopeMark[] } {
  const found = marks ?? scopeMarks.filter((mark) => splitScope(marked[mark]).includes(scope));
  return found.length > 0 ? { marks: Object.freeze([...found]) } : {};
}

/** A scope: a scope of `scopeCatalogue`, or your own. */
export type Scope = StandardScope | (string & {});

type Audience = 'operator' | 'member' | 'service';

/** Who the person is. Every client may have them. */
export const identityScopes: readonly IdentityScope[] = ['openid', 'profile', 'email'];

export function isIdentityScope(scope: string): boolean {
  return identityScopes.some((each) => each === scope);
}

/** A scope that says who the person is. */
export type IdentityScope = Extract<(typeof scopeCatalogue)[number], { readonly access: 'identity' }>['scope'];

/** Those of a person's own data, which the Member API and the tools require, and not the Admin API. */
export const accountScopes: readonly StandardScope[] = ['account:read', 'account:write'];

/**
 * Whether clients of this audience may ask for a scope. A service is not a person, so it may have those of the Admin API only.
 * Specification: What the service does 2; Registration rules 6.
 */
export function isFor(audience: Audience, owner: Audience | 'any' = 'operator'): boolean {
  if (audience === 'service') return owner === 'operator';
  return owner === 'any' || owner === audience;
}

/** The scopes of one campus. It is handed down from the options to everything that reads or checks a scope. */
export interface ScopeCatalogue {
  /** In the order in which they are listed everywhere. */
  readonly rows: readonly ScopeRow[];
  readonly all: readonly string[];
  /** Scopes of `scopeCatalogue` that do not exist here. */
  readonly leftOut: readonly string[];
  readonly row: (scope: string) => ScopeRow | undefined;
  readonly has: (scope: string) => boolean;
  /** Those of `all` that a client of this audience may ask for. */
  readonly of: (audience: Audience) => readonly string[];
  /** Whether it may ask for a scope. */
  readonly mayHave: (audience: Audience, scope: string) => boolean;
}

export function createScopeCatalogue(given: readonly ScopeRow[], leftOut: readonly string[] = []): ScopeCatalogue {
  const rows = given.map((row) => Object.freeze({ ...row, ...marksOf(row) }));
  const byScope = new Map(rows.map((row) => [row.scope, row]));
  const scopesFor = (audience: Audience): ReadonlySet<string> =>
    new Set(rows.filter((row) => isFor(audience, row.audience)).map(({ scope }) => scope));
  const sets = { operator: scopesFor('operator'), member: scopesFor('member'), service: scopesFor('service') };
  const lists = { operator: [...sets.operator], member: [...sets.member], service: [...sets.service] };
  return Object.freeze<ScopeCatalogue>({
    rows: Object.freeze(rows),
    leftOut: Object.freeze([...leftOut]),
    all: Object.freeze(rows.map(({ scope }) => scope)),
    row: (scope) => byScope.get(scope),
    has: (scope) => byScope.has(scope),
    of: (audience) => lists[audience],
    mayHave: (audience, scope) => sets[audience].has(scope),
  });
}

export function unknownScope(unknown: readonly string[]): string {
  return `unknown scope: ${unknown.join(' ')}; scopes_supported in the metadata lists all`;
}

/** The scopes of a space-separated `scope` value (RFC 6749 section 3.3). */
export function splitScope(scope: string | undefined): string[] {
  return scope?.split(' ').filter(Boolean) ?? [];
}
