import { type KeyAlgorithm, keyAlgorithms } from '../keys/public-keys.ts';
import { optional, type RequestParameter } from '../../kernel/request-parameter.ts';

/** The name of a way to authenticate a client that must be switched on. */
export type OptionalAuthentication = 'client_secret_basic' | 'private_key_jwt';

/** The name of a way to authenticate a client. RFC 7591 section 2. */
export type AuthenticationMethod = 'none' | 'client_secret_post' | OptionalAuthentication;

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
  /** The algorithms of what a client signs. */
  readonly algorithms?: readonly KeyAlgorithm[];
  /** How a confidential client uses it: the end of a sentence in the guide, `They can also authenticate …`. */
  readonly how?: string;
}

/** RFC 7523 section 2.2. */
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/**
 * Every method, in the order of the metadata: programs such as mod_auth_openidc take the first, and with `none` would send no secret.
 * What a campus offers is in `Offered`; everything else derives from the rows.
 */
export const authenticationMethods: {
  readonly [M in AuthenticationMethod]: AuthenticationRow & {
    readonly name: M;
    readonly isOptional: M extends OptionalAuthentication ? true : false;
  };
} = {
  client_secret_post: {
    name: 'client_secret_post',
    isOptional: false,
    namesClient: false,
    parameters: [optional('client_secret', 'The secret of a confidential client. Public clients do not have one.')],
    how: 'with the form field `client_secret` (`client_secret_post`)',
  },
  none: {
    name: 'none',
    isOptional: false,
    namesClient: false,
    parameters: [],
  },
  client_secret_basic: {
    name: 'client_secret_basic',
    isOptional: true,
    namesClient: true,
    parameters: [],
    how: 'with HTTP Basic (`client_secret_basic`), for which `client_id` and `client_secret` are form-encoded first (RFC 6749 section 2.3.1)',
  },
  private_key_jwt: {
    name: 'private_key_jwt',
    isOptional: true,
    namesClient: true,
    parameters: [
      optional('client_assertion_type', `\`${assertionType}\`, beside \`client_assertion\`.`),
      optional(
        'client_assertion',
        'A JWT that the client has signed with its private key, in place of a secret: `iss` and `sub` are its `client_id`, `aud` is the issuer or the token endpoint and nothing else, `exp` is at most an hour away, `jti` is new each time.',
      ),
    ],
    algorithms: keyAlgorithms,
    how: 'with a JWT that their private key has signed (`private_key_jwt`, RFC 7523 section 2.2)',
  },
};
