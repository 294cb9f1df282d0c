import * as z from 'zod';
import type { ClientProperty } from '../../core/enabled/client-property.ts';
import type { Member, Site } from '../../host/school-platform.ts';
import { group, type Read, type Shape } from '../../kernel/option-schemas.ts';
import { isObject, readOptions } from '../../kernel/validate.ts';

/** Options of `dpop`. */
export interface DpopOptions {
  /**
   * Which proofs need a nonce, so that nobody can make one ahead of its use. RFC 9449 section 11.2.
   *
   * - `when_needed`: those of a client whose clock is wrong by more than five minutes.
   * - `required`: all. The first request of each client costs a round trip more.
   *
   * @default 'when_needed'
   */
  readonly nonces?: 'when_needed' | 'required' | undefined;
}

/** What `dpop` of `campus-oidc/dpop` returns. */
export interface Dpop {
  /** Which proofs need a nonce. */
  readonly nonces: 'when_needed' | 'required';
}

const nonces = z.enum(['when_needed', 'required'], 'be "when_needed" or "required"').default('when_needed');
const optionsSchema = group({ nonces } satisfies Shape<DpopOptions>);

/**
 * Switches on access tokens that only the holder of a key can use (DPoP). Pass the result to `createCampus`. Clients may then send proofs, and
 * a client with `dpop: 'required'` must. RFC 9449.
 *
 * @throws TypeError that names an invalid option by its path, for example `dpop.nonces must be "when_needed" or "required"`
 */
export function dpop(options: DpopOptions = {}): Dpop {
  return Object.freeze(readOptions(optionsSchema, options, 'dpop'));
}

/** The option of `createCampus` that switches DPoP on. */
export interface DpopOption {
  /** Access tokens that only the holder of a key can use: `dpop()` of `campus-oidc/dpop`. @default none */
  readonly dpop?: Dpop | undefined;
}

const isDpop = (value: unknown): boolean => isObject(value) && typeof value['nonces'] === 'string';

/** @internal */
export const dpopOption = {
  dpop: z.custom<Dpop>(isDpop, 'be what dpop() of campus-oidc/dpop returns').meta({ type: '`Dpop`' }).optional(),
};

/** @internal */
export type DpopSettings = Read<typeof dpopOption>;

declare module '../../options/options.ts' {
  interface FeatureOptions<School extends Site, Person extends Member> extends DpopOption {}
  /** @internal */
  interface FeatureSettings extends DpopSettings {}
}

declare module '../../core/enabled/client-member.ts' {
  interface ClientProperties {
    /**
     * With `required`, the client gets tokens only with a proof of a key, so that all its tokens are bound to that key (DPoP). Requires the
     * option `dpop`. RFC 9449 section 5.2. @default the client may send proofs
     */
    readonly dpop?: 'required' | undefined;
  }
}

/** Which clients get no other tokens. The record of a client has the name that the engine knows. */
export const dpopProperty: ClientProperty = {
  member: 'dpop',
  option: 'dpop',
  schema: z.literal('required', 'be "required"'),
  problem: (value) =>
    value === 'required' ? undefined : { reason: `must be "required", not ${JSON.stringify(value)}` },
  stored: 'dpop_bound_access_tokens',
  write: () => true,
  read: (stored) => (stored === true ? 'required' : undefined),
  isOfServices: true,
  isStated: true,
  needsOption: true,
  whenOff: {
    /** A school has applications that get bound tokens only, but the option `dpop` is not set, so they are not accepted as clients. */
    id: 'dpop-off',
    fix: 'set the option dpop again, or remove the requirement from the applications',
  },
};
