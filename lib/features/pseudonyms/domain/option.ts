import * as z from 'zod';
import type { Member, Site } from '../../../host/school-platform.ts';
import { group, type Read, type Shape } from '../../../kernel/option-schemas.ts';

/** Options of `pseudonyms`. */
export interface PseudonymOptions {
  /**
   * The secret that pseudonyms are made with, at least 32 characters. It must never change: with another one, every person is a stranger to every application that
   * knows them by a pseudonym. So it is none of `keys`, which are rotated, and needs a copy in a safe place.
   */
  readonly key: string;
}

/** The option of `createCampus` that switches pseudonyms on. */
export interface PseudonymOption {
  /** Pseudonyms for applications that must not know who a person is: `subject` of a client, or `pseudonym` of a rule. @default none */
  readonly pseudonyms?: PseudonymOptions | undefined;
}

const minKey = 32;

/** @internal */
export const pseudonymOption = {
  pseudonyms: group({
    key: z
      .string(`be a secret of at least ${minKey} characters`)
      .min(minKey)
      .meta({ type: `string of at least ${minKey} characters` }),
  } satisfies Shape<PseudonymOptions>).optional(),
};

/** @internal */
export type PseudonymSettings = Read<typeof pseudonymOption>;

declare module '../../../options/options.ts' {
  interface FeatureOptions<School extends Site, Person extends Member> extends PseudonymOption {}
  /** @internal */
  interface FeatureSettings extends PseudonymSettings {}
}
