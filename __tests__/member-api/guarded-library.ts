import type { GraphQLResolveInfo } from 'graphql';
import type { MemberApiOptions, MemberResolver } from '../../lib/member/index.ts';

/** A schema with guards wherever one can be, and the fields that were run. */
export interface GuardedLibrary {
  readonly api: Required<Pick<MemberApiOptions, 'typeDefs' | 'resolvers'>>;
  /** `Type.field` of everything of the library that was run. */
  readonly ran: Set<string>;
}

/** What a field takes when it is run on this very type: what is written at it, at its type and at its interfaces. */
export const guards: Readonly<Record<string, readonly string[]>> = {
  'Book.label': ['courses:read'],
  'Book.secret': ['orders:read'],
  'Vault.id': ['school:read'],
  'Vault.label': ['school:read'],
  'Vault.secret': ['school:read', 'orders:read'],
  'Vault.gold': ['school:read', 'students:read', 'members:read'],
  'Vault.next': ['school:read'],
  'Vault.book': ['school:read'],
  'Viewer.diary': ['account:read'],
};

const typeDefs = `
  extend type Viewer {
    thing: Thing
    found: Found
    shelf: [Thing!]
    book: Book
    vault: Vault
    diary: String @requiresScopes(scopes: ["account:read"])
  }
  interface Thing {
    id: ID!
    label: String
    secret: String @requiresScopes(scopes: ["orders:read"])
    next: Thing
    book: Book
  }
  union Found = Book | Vault
  type Book implements Thing {
    id: ID!
    label: String @requiresScopes(scopes: ["courses:read"])
    secret: String
    pages: Int
    next: Thing
    book: Book
  }
  type Vault implements Thing @requiresScopes(scopes: ["school:read"]) {
    id: ID!
    label: String
    secret: String
    gold: Int @requiresScopes(scopes: ["students:read", "members:read"])
    next: Thing
    book: Book
  }
  extend type Mutation { lend: Book @requiresScopes(scopes: ["courses:write"]) }
`;

/** The library; things are books and vaults in turn, so that either may stand behind an interface. */
export function guardedLibrary(): GuardedLibrary {
  const ran = new Set<string>();
  let turn = 0;
  const kinds = ['Book', 'Vault'];
  const any = (): object => ({ kind: kinds[(turn += 1) % 2] });
  const told =
    (result: () => unknown): MemberResolver =>
    (_parent, _args, _context, { parentType, fieldName }: GraphQLResolveInfo) => {
      ran.add(`${parentType.name}.${fieldName}`);
      return result();
    };
  const behind: { readonly __resolveType: MemberResolver } = {
    __resolveType: (thing) => Reflect.get(Object(thing), 'kind'),
  };
  const thing = {
    id: told(() => '1'),
    label: told(() => 'label'),
    secret: told(() => 'secret'),
    next: told(any),
    book: told(() => ({ kind: 'Book' })),
  };
  const resolvers = {
    Viewer: {
      thing: told(any),
      found: told(any),
      shelf: told(() => [any(), any()]),
      book: told(() => ({ kind: 'Book' })),
      vault: told(() => ({ kind: 'Vault' })),
      diary: told(() => 'dear diary'),
    },
    Mutation: { lend: told(() => ({ kind: 'Book' })) },
    Thing: behind,
    Found: behind,
    Book: { ...thing, pages: told(() => 1) },
    Vault: { ...thing, gold: told(() => 1) },
  };
  return { api: { typeDefs, resolvers }, ran };
}
