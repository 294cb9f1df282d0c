import * as z from 'zod';
import type { Boundary, CheckedBoundary } from '../../../core/boundaries/boundary.ts';
import { checkScopes, scopesField } from '../../../core/clients/client-fields.ts';
import type { ScopeCatalogue } from '../../../core/scopes/scopes.ts';
import type { Member, Site } from '../../../host/school-platform.ts';
import { func, group, list, type Read, refuse, repeated, type Shape } from '../../../kernel/option-schemas.ts';
import { optionError } from '../../../kernel/validate.ts';
import { checkEach } from '../../../kernel/check-each.ts';

export interface BoundariesOption<School extends Site = Site, Person extends Member = Member> {
  /** The types of limits that people can set for an app, such as classes: `docs/guides/limit-to-classes.md`. @default [] */
  readonly boundaries?: readonly Boundary<School, Person>[] | undefined;
}

const typeDemand =
  'be 1 to 32 lower-case letters, digits and "_", starting with a letter, and not a built-in name such as "constructor"';
const nameDemand = 'be one line of 1 to 60 characters, without { and }';

const nameField = z.string(nameDemand).refine(isLine, nameDemand);

const boundarySchema = group({
  type: z.string(typeDemand).refine(isType, typeDemand),
  name: nameField,
  names: z.record(z.string(), nameField, 'have a name for each language tag').readonly().optional(),
  scopes: scopesField.refine((scopes) => scopes.length > 0, 'not be empty'),
  list: func<Boundary['list']>(),
} satisfies Shape<Boundary>);

/** Limits are kept in objects by their types. */
function isType(type: string): boolean {
  return /^[a-z][a-z0-9_]{0,31}$/.test(type) && !(type in Object.prototype);
}

function isLine(text: string): boolean {
  return text.trim() !== '' && text.length <= 60 && !/[\p{Cc}\p{Zl}\p{Zp}{}]/u.test(text);
}

/** @internal */
export const boundariesOption = {
  boundaries: list(boundarySchema, 'be an array of boundaries')
    .check((payload) => {
      const twice = repeated<readonly PropertyKey[]>(payload.value.map(({ type }, i) => [[i, 'type'], type]));
      if (twice) refuse(payload, ...twice);
    })
    .prefault([]),
};

/** @internal */
export type BoundariesSettings = Read<typeof boundariesOption>;

/** Scopes that say who the person is cannot be limited: every app gets them with any other. @internal */
export function checkBoundaries({ boundaries }: BoundariesSettings, catalogue: ScopeCatalogue): void {
  checkEach(boundaries, ({ scopes }, i) => {
    checkScopes(catalogue, scopes, `boundaries[${i}].scopes`);
    checkEach(scopes, (scope, j) => {
      if (catalogue.row(scope)?.access !== 'identity') return;
      throw optionError(`boundaries[${i}].scopes[${j}]`, `not be ${scope}, which says who the person is`);
    });
  });
}

declare module '../../../options/options.ts' {
  interface FeatureOptions<School extends Site, Person extends Member> extends BoundariesOption<School, Person> {}
  /** @internal */
  interface FeatureSettings extends BoundariesSettings {}
  /** @internal */
  interface FeaturePolicies {
    readonly boundaries: readonly CheckedBoundary[];
  }
}
