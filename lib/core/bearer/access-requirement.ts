import * as z from 'zod';
import type { DeclaredBoundary } from '../boundaries/boundary.ts';
import { checkHonours, honoursField } from '../boundaries/honours-field.ts';
import type { AcceptedTokens, AuthenticationRequirement, ClientAudience, PersonAudience } from '../clients/client.ts';
import { audienceField, checkScopes, scopesField } from '../clients/client-fields.ts';
import type { Scope, ScopeCatalogue } from '../scopes/scopes.ts';
import type { Site } from '../../host/school-platform.ts';
import { flag, func, list, type Shape, text, whole } from '../../kernel/option-schemas.ts';
import { optionError } from '../../kernel/validate.ts';
import type { BearerAuth } from './bearer-auth.ts';

/** What a protected route requires. */
export interface AccessRequirement<A extends ClientAudience = PersonAudience>
  extends AcceptedTokens<A>, AuthenticationRequirement {
  /** Scopes that the token must have, all of them. @default [] */
  readonly scopes?: readonly Scope[] | undefined;
  /** Allow a request without a token. A bad token is still refused. @default false */
  readonly anonymous?: boolean | undefined;
  /** Accept only access tokens that are bound to a key, with a proof of it (DPoP). Requires the option `dpop`. @default false */
  readonly bound?: boolean | undefined;
  /**
   * Returns the address to which a client has sent a request, origin and path, if a proxy in front changes the path. A proof of the key of a
   * token names it. @default the address of the request at the school
   */
  readonly address?: CallAddress | undefined;
}

/** A request as it has reached you. */
export interface ReceivedCall {
  readonly method: string;
  /** The target of the request line: the path with its query. */
  readonly target: string;
  /** Returns the values of a header as one; an empty string without the header. */
  get(header: string): string;
}

/** Returns the address to which a client has sent a request. */
export type CallAddress = (request: ReceivedCall, site: Site) => string;

/** The members of a requirement that say how the person must have signed in. @internal */
export const authenticationFields = {
  acr: z.union([text(), list(text(), 'be an array of strings')], 'be a string or an array of strings').optional(),
  maxAge: whole('whole number of seconds', 0, 10 * 365 * 24 * 60 * 60).optional(),
} satisfies Shape<AuthenticationRequirement>;

/** The members of a requirement. @internal */
export const requirementFields = {
  scopes: scopesField.optional(),
  anonymous: flag.optional(),
  bound: flag.optional(),
  address: func<CallAddress>().optional(),
  audience: list(audienceField, 'be an array of audiences').optional(),
  ...authenticationFields,
  honours: honoursField.optional(),
} satisfies Shape<AccessRequirement<ClientAudience>>;

/** What is wrong with something else than an object of them. */
export const requirementDemand = 'be given an object, for example { scopes: ["courses:read"] }';

interface Declared {
  readonly bearer: BearerAuth;
  readonly catalogue: ScopeCatalogue;
  readonly boundaries: readonly DeclaredBoundary[];
}

/** @throws TypeError for a scope, a boundary or an option that is not there; `path` is the name of the guard */
export function checkRequirement(
  { bearer, catalogue, boundaries }: Declared,
  { scopes = [], bound, honours }: AccessRequirement<ClientAudience>,
  path: string,
): void {
  if (bound && !bearer.dpop) throw optionError(`${path}.bound`, 'not be true without the option dpop');
  checkScopes(catalogue, scopes, `${path}.scopes`);
  checkHonours(boundaries, honours, `${path}.honours`);
}
