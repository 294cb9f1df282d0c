import type { RequestParameter } from '../kernel/request-parameter.ts';

/** A way to get tokens at the token endpoint. */
export interface GrantTypeRow {
  /** The value of `grant_type`. */
  readonly name: string;
  /** The function of `campus-oidc/grants` that switches it on. Absent: it is always on. */
  readonly option?: string;
  /** Which clients have it: those that act for a person, or services. */
  readonly clients: 'people' | 'services';
  /** The member of a client that gives it to the client, which then needs no redirect URI. A grant of people that a feature adds has one: no client gets a grant that nobody gave it. */
  readonly clientField?: string;
  /** The finding about applications that need it while it is off. Every grant that a feature adds has one. */
  readonly finding?: string;
  /** The name of its form in the API description. */
  readonly schema: string;
  /** The fields of its form, without those that authenticate the client. Specification: Token endpoint parameters. */
  readonly parameters: readonly RequestParameter[];
  /** What the guide calls it where it is off. */
  readonly calledWhenOff?: string;
  /** In place of the engine's texts, for the client's developer. */
  readonly engineTexts?: Readonly<Record<string, string>>;
  /** The engine's text for a code or token that comes a second time, and ends its family. */
  readonly reused?: string;
  /** Errors with status 400 that say that a person has not decided yet. */
  readonly waiting?: readonly string[];
  /** The member of an interaction that did not start at the authorization endpoint, and the page at which it started. */
  readonly startsAt?: { readonly member: string; readonly path: string };
  /** Members of the server metadata: the paths of its endpoints. */
  readonly endpoints?: Readonly<Record<string, string>>;
  /** Errors that only it has. */
  readonly errors?: readonly string[];
}

/** A way in which a client authenticates at the endpoints to which it posts. RFC 7591 section 2. */
export interface AuthenticationRow {
  /** The name in the metadata. */
  readonly name: string;
  /** Whether it must be switched on. */
  readonly isOptional: boolean;
  /** Whether a request with it need not have `client_id` in its form. */
  readonly namesClient: boolean;
  /** The fields that it adds to a form. */
  readonly parameters: readonly RequestParameter[];
  /** Whether clients sign for it, with keys of their own. */
  readonly isSigned?: boolean;
  /** The member of a client that gives it to the client. Absent: those with a secret have it, or all. */
  readonly clientField?: string;
  /** The finding about applications that need it while it is off. */
  readonly finding?: string;
  /** How a confidential client uses it: the end of a sentence in the guide, `They can also authenticate …`. */
  readonly how?: string;
}

/** A property of clients that belongs to a feature. Only the platform, or an administrator of a school, gives it to a client. */
export interface ClientPropertyRow {
  /** The option of `createCampus` without which no client can have it. */
  readonly option: string;
  /** The scopes that a client with it can have. @default any */
  readonly scopes?: readonly string[];
  /** Whether people must allow a client again in which it has changed. @default false */
  readonly asksAgain?: boolean;
  /** The finding about applications that have it while the option is off. */
  readonly finding: string;
  readonly problem: (value: unknown) => PropertyProblem | undefined;
}

/** What is wrong with a property of a client. */
export interface PropertyProblem {
  readonly code?: 'many';
  /** The value of a list that is wrong. */
  readonly value?: string;
  /** Words that follow the name of the property, or the value. */
  readonly reason: string;
}
