import * as z from 'zod';
import type { Member, Site } from '../../../host/school-platform.ts';
import { group, type Read, type Shape } from '../../../kernel/option-schemas.ts';

/** Options of `pseudonyms`. */
export interface PseudonymOptions {
  /**
   * The secret that creates the pseudonyms, at least 32 characters. Never change it: with a different key, every person looks new to these
   * applications. Do not use one of `keys`, which you rotate. Keep a copy in a safe place.
   */
  readonly key: string;
}

/** The option of `createCampus` that switches pseudonyms on. */
export interface PseudonymOption {
  /**
   * Pseudonyms for applications that must not know who a person is. `subject` of a client or `pseudonym` of a rule turns them on. @default
   * none
   */
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
