import * as z from 'zod';
import type { OAuthErrorBody } from '../../kernel/errors.ts';

/** The metadata that a client posts, with its types checked and unknown members removed. RFC 7591 section 2. */
export interface RegistrationMetadata {
  readonly client_name?: string | undefined;
  readonly application_type?: string | undefined;
  readonly redirect_uris?: readonly string[] | undefined;
  readonly token_endpoint_auth_method?: string | undefined;
  readonly grant_types?: readonly string[] | undefined;
  readonly response_types?: readonly string[] | undefined;
  readonly client_uri?: string | undefined;
  readonly logo_uri?: string | undefined;
  readonly tos_uri?: string | undefined;
  readonly policy_uri?: string | undefined;
  readonly scope?: string | undefined;
}

/** The metadata of a public client, as stored and returned by registration. RFC 7591 section 3.2.1. */
export interface RegisteredClientMetadata extends Pick<
  RegistrationMetadata,
  'client_name' | 'client_uri' | 'logo_uri' | 'tos_uri' | 'policy_uri'
> {
  readonly application_type: 'native' | 'web';
  readonly redirect_uris: readonly string[];
  readonly token_endpoint_auth_method: 'none';
  readonly grant_types: readonly ('authorization_code' | 'refresh_token')[];
  readonly response_types: readonly 'code'[];
  /** The scopes that the client may request, separated by spaces. */
  readonly scope: string;
}

/** The registration response: the registered metadata, never a secret. RFC 7591 section 3.2.1. */
export interface RegistrationResponse {
  readonly client_id: string;
  readonly [member: string]: unknown;
}

/** The response that the registration endpoint would send, and the policy that decides it. */
export interface RegistrationExplanation {
  readonly outcome: 'known' | 'admitted' | 'refused';
  /** Name of the policy that decided. Absent if the body was refused before, or if no policy decided. */
  readonly policy?: string | undefined;
  /** HTTP status of the response. */
  readonly status: number;
  /** Body of the response. The `client_id` of an admitted client is random and not stored. */
  readonly body: RegistrationResponse | OAuthErrorBody;
}

const text = z.string().nullish();

/** @internal */
export const clientMetadata = z.object({
  client_name: text,
  application_type: z.enum(['native', 'web']),
  redirect_uris: z.array(z.string()),
  token_endpoint_auth_method: z.literal('none'),
  grant_types: z.array(z.enum(['authorization_code', 'refresh_token'])),
  response_types: z.array(z.literal('code')),
  client_uri: text,
  logo_uri: text,
  tos_uri: text,
  policy_uri: text,
  scope: z.string(),
});
