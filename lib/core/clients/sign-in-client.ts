import * as z from 'zod';
import { flag, group, type Shape } from '../../kernel/option-schemas.ts';
import type { JsonMembers, JsonObject } from '../../kernel/json.ts';
import { isObject } from '../../kernel/validate.ts';
import { type IdTokenAlgorithm, idTokenAlgorithms } from '../keys/keys.ts';

/** Options for common OpenID Connect software. They apply to one client, and requests of other clients cannot turn them on. */
export interface SignInOptions {
  /** Whether the client may send its secret with HTTP Basic (`client_secret_basic`), in addition to the form field. @default true */
  readonly basic?: boolean | undefined;
  /** The algorithm that signs its ID tokens. Without an RS256 key of the platform, ES256 signs them. @default 'RS256' */
  readonly idTokenAlgorithm?: IdTokenAlgorithm | undefined;
  /** Whether a request without `resource` is for the origin of the school. Other values of `resource` are refused. @default true */
  readonly defaultResource?: boolean | undefined;
}

/** All of them, as they are stored and shown. */
export type SignInProperties = { readonly [P in keyof SignInOptions]-?: NonNullable<SignInOptions[P]> };

/** A client that can sign people in with OpenID Connect. */
export interface SignInClient {
  /** Options of a client that signs people in to a website or a server with OpenID Connect. `{}` suits most of them. @default none */
  readonly signIn?: SignInOptions | undefined;
}

/** @internal */
export const signInField: z.ZodType<SignInProperties | undefined> = group({
  basic: flag.default(true),
  idTokenAlgorithm: z.enum(idTokenAlgorithms, `be ${idTokenAlgorithms.join(' or ')}`).default('RS256'),
  defaultResource: flag.default(true),
} satisfies Shape<SignInOptions>).optional();

/** As the record of a client has it. */
export function signInMetadata({ signIn }: SignInClient): { readonly campus_sign_in?: JsonObject } {
  if (signIn === undefined) return {};
  const { basic = true, idTokenAlgorithm = 'RS256', defaultResource = true } = signIn;
  return {
    campus_sign_in: { basic, id_token_algorithm: idTokenAlgorithm, default_resource: defaultResource },
  };
}

/**
 * Reads metadata as it is stored, or as the engine's `Client` has it. An app that brings its metadata itself is never software for
 * sign-in.
 */
export function signInOf(client: JsonMembers): SignInProperties | undefined {
  const { campus_source: source, campus_sign_in: stored } = client;
  if (source === 'document' || source === 'registered' || !isObject(stored)) return undefined;
  return {
    basic: stored['basic'] === true,
    idTokenAlgorithm: stored['id_token_algorithm'] === 'RS256' ? 'RS256' : 'ES256',
    defaultResource: stored['default_resource'] === true,
  };
}

/** How ID tokens of such a client are signed now; `undefined` while none is issued. */
export function signedFor(
  available: readonly IdTokenAlgorithm[],
  signIn: SignInOptions | undefined,
): IdTokenAlgorithm | undefined {
  return available.find((name) => name === signIn?.idTokenAlgorithm) ?? available[0];
}
