import type { AuthenticationRow } from '../../features/contract.ts';
import { featureAuthentication, type FeatureAuthenticationRow, type FeatureFinding } from '../../features/facts.ts';
import { optional } from '../../kernel/request-parameter.ts';

/** The name of a way to authenticate a client that must be switched on. */
export type OptionalAuthentication = 'client_secret_basic' | FeatureAuthenticationRow['name'];

/** The name of a way to authenticate a client. RFC 7591 section 2. */
export type AuthenticationMethod = 'none' | 'client_secret_post' | OptionalAuthentication;

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
  ...featureAuthentication,
};

/** One that a client has by a member of its own. */
export interface MethodByField extends AuthenticationRow {
  readonly name: OptionalAuthentication;
  readonly clientField: 'publicKeys';
  readonly finding: FeatureFinding;
}

export const methodsByField: readonly MethodByField[] = Object.values(featureAuthentication);
