import * as z from 'zod';
import type { DeclaredBoundary } from '../boundaries/boundary.ts';
import { checkHonours, honoursField } from '../boundaries/honours-field.ts';
import type { AcceptedTokens, AuthenticationRequirement, ClientAudience, PersonAudience } from '../clients/client.ts';
import { audienceField, checkScopes, scopesField } from '../clients/client-fields.ts';
import type { Scope, ScopeCatalogue } from '../scopes/scopes.ts';
import { flag, list, type Shape, text, whole } from '../../kernel/option-schemas.ts';

/** What a protected route requires. */
export interface AccessRequirement<A extends ClientAudience = PersonAudience>
  extends AcceptedTokens<A>, AuthenticationRequirement {
  /** Scopes that the token must have, all of them. @default [] */
  readonly scopes?: readonly Scope[] | undefined;
  /** Allow a request without a token. A bad token is still refused. @default false */
  readonly anonymous?: boolean | undefined;
}

/** The members of a requirement that say how the person must have signed in. @internal */
export const authenticationFields = {
  acr: z.union([text(), list(text(), 'be an array of strings')], 'be a string or an array of strings').optional(),
  maxAge: whole('whole number of seconds', 0, 10 * 365 * 24 * 60 * 60).optional(),
} satisfies Shape<AuthenticationRequirement>;

/** The members of a requirement. @internal */
export const requirementFields = {
  scopes: scopesField.optional(),
  anonymous: flag.optional(),
  audience: list(audienceField, 'be an array of audiences').optional(),
  ...authenticationFields,
  honours: honoursField.optional(),
} satisfies Shape<AccessRequirement<ClientAudience>>;

/** What is wrong with something else than an object of them. */
export const requirementDemand = 'be given an object, for example { scopes: ["courses:read"] }';

interface Declared {
  readonly catalogue: ScopeCatalogue;
  readonly boundaries: readonly DeclaredBoundary[];
}

/** @throws TypeError for a scope or a boundary that is not there; `path` is the name of the guard */
export function checkRequirement(
  { catalogue, boundaries }: Declared,
  { scopes = [], honours }: AccessRequirement<ClientAudience>,
  path: string,
): void {
  checkScopes(catalogue, scopes, `${path}.scopes`);
  checkHonours(boundaries, honours, `${path}.honours`);
}
