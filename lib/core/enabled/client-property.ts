import type * as z from 'zod';
import type { JsonMembers } from '../../kernel/json.ts';
import type { ClientProperties } from './client-member.ts';
import type { FindingWhenOff } from './finding-when-off.ts';

/** A property of clients that belongs to a feature. Only the platform, or an administrator of a school, gives it to a client. */
export interface ClientProperty {
  readonly member: keyof ClientProperties;
  /** The option of `createCampus` without which no client can have it. */
  readonly option: string;
  /** In the option `clients`. In an application it is checked by `problem`. @internal */
  readonly schema: z.ZodType;
  readonly problem: (value: unknown) => PropertyProblem | undefined;
  /** The name under which the record of a client has it: its own, or one that the engine knows. */
  readonly stored: `campus_${string}` | 'dpop_bound_access_tokens';
  /** The value there. @default the same */
  readonly write?: (value: unknown) => unknown;
  /** The value in a record; `undefined` for one that it cannot have. */
  readonly read: (stored: unknown) => unknown;
  /** The scopes that a client with it can have. @default any */
  readonly scopes?: readonly string[];
  /** Whether people must allow a client again in which it has changed. @default false */
  readonly asksAgain?: boolean;
  /** Whether services can have it. @default false */
  readonly isOfServices?: boolean;
  /** Whether an app that brings its metadata itself can have it: it only takes away. @default false */
  readonly isStated?: boolean;
  /** Whether a client with it is refused while the option is off: it would get more than it may have. @default false */
  readonly needsOption?: boolean;
  /** What is wrong with applications that have it while the option is off. */
  readonly whenOff: FindingWhenOff;
}

/** What is wrong with a property of a client. */
export interface PropertyProblem {
  readonly code?: 'many';
  /** The value of a list that is wrong. */
  readonly value?: string;
  /** Words that follow the name of the property, or the value. */
  readonly reason: string;
}

/** What a client has for features. An app that brings its metadata itself has nothing. */
export function propertiesOf(properties: readonly ClientProperty[], record: JsonMembers): ClientProperties {
  const { campus_source: source } = record;
  if (source === 'document' || source === 'registered') return {};
  return Object.fromEntries(
    properties.flatMap(({ member, stored, read }) => {
      const value = record[stored] === undefined ? undefined : read(record[stored]);
      return value === undefined ? [] : [[member, value]];
    }),
  );
}

/** What an app says of itself in its own metadata. */
export function statedProperties(
  {
    known,
    hasOption,
  }: {
    readonly known: { readonly properties: readonly ClientProperty[] };
    readonly hasOption: (name: string) => boolean;
  },
  metadata: JsonMembers,
): JsonMembers {
  return Object.fromEntries(
    known.properties.flatMap(({ stored, option, read, isStated }) => {
      const isHere = isStated === true && hasOption(option) && read(metadata[stored]) !== undefined;
      return isHere ? [[stored, metadata[stored]]] : [];
    }),
  );
}

/** The same as the record of the client has it. */
export function storedProperties(properties: readonly ClientProperty[], client: ClientProperties): JsonMembers {
  return Object.fromEntries(
    properties.flatMap(({ member, stored, write = (value) => value }) =>
      client[member] === undefined ? [] : [[stored, write(client[member])]],
    ),
  );
}

/** Those that a client has. */
export function propertiesGiven(
  properties: readonly ClientProperty[],
  client: ClientProperties,
): readonly ClientProperty[] {
  return properties.filter(({ member }) => client[member] !== undefined);
}

/** The property of a client with which it cannot have a scope. */
export function unsuited(
  properties: readonly ClientProperty[],
  client: ClientProperties,
  scope: string,
): keyof ClientProperties | undefined {
  return propertiesGiven(properties, client).find(({ scopes }) => scopes?.includes(scope) === false)?.member;
}

/** Whether people must allow a client again that had the first properties, and now has the second. */
export function needsNewConsent(
  properties: readonly ClientProperty[],
  before: ClientProperties,
  after: ClientProperties,
): boolean {
  return properties.some(({ member, asksAgain }) => asksAgain === true && before[member] !== after[member]);
}
