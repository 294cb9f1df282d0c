import { optional, required, type RequestParameter } from './request-parameter.ts';

/** RFC 8628 section 3.4. */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

/** A value of `grant_type`. */
export type GrantType = 'authorization_code' | 'refresh_token' | 'client_credentials' | typeof deviceGrant;

/** A way to get tokens at the token endpoint. */
export interface GrantTypeRow {
  /** The value of `grant_type`. */
  readonly name: string;
  /** The engine's feature of an optional grant type. Absent: it is always on. */
  readonly feature?: 'clientCredentials' | 'deviceFlow';
  /** Which clients have it: those that act for a person, or services. */
  readonly clients: 'people' | 'services';
  /** The name of its form in the API description. */
  readonly schema: string;
  /** The fields of its form, without those that authenticate the client. Specification: Token endpoint parameters. */
  readonly parameters: readonly RequestParameter[];
}

/** Every grant type. What a campus offers is in `Offered`; everything else derives from the rows. */
export const grantTypes: { readonly [G in GrantType]: GrantTypeRow & { readonly name: G } } = {
  authorization_code: {
    name: 'authorization_code',
    clients: 'people',
    schema: 'CodeExchange',
    parameters: [
      required('code', 'The authorization code. It can be redeemed once.'),
      required('redirect_uri', 'The value from the authorization request.'),
      required('code_verifier', 'The verifier of the `code_challenge` that was sent to the authorization endpoint.'),
      optional('resource', 'As in the authorization request. Required for member clients.'),
    ],
  },
  refresh_token: {
    name: 'refresh_token',
    clients: 'people',
    schema: 'Refresh',
    parameters: [
      required('refresh_token', 'The newest refresh token. The response contains its replacement.'),
      optional('scope', 'Fewer scopes for the new access token, separated by spaces.'),
      optional('resource', 'As in the authorization request.'),
    ],
  },
  client_credentials: {
    name: 'client_credentials',
    feature: 'clientCredentials',
    clients: 'services',
    schema: 'ServiceToken',
    parameters: [
      optional('scope', 'Scopes, separated by spaces. Default: all that the service has.'),
      optional('resource', 'The origin, or the address of one of its protected resources; all mean the same.'),
    ],
  },
  [deviceGrant]: {
    name: deviceGrant,
    feature: 'deviceFlow',
    clients: 'people',
    schema: 'DeviceToken',
    parameters: [
      required('device_code', 'The `device_code` of the device authorization response. It can be redeemed once.'),
      optional('resource', 'As in the device authorization request. Required for member clients.'),
    ],
  },
};

/** The form of the device authorization endpoint, without the fields that authenticate the client. RFC 8628 section 3.1. */
export const deviceParameters: readonly RequestParameter[] = [
  optional('scope', 'Scopes, separated by spaces. Default: those that the metadata of `resource` lists.'),
  optional(
    'resource',
    'The origin, or the address of one of its protected resources; both mean the same (RFC 8707). Required for member clients.',
  ),
];
