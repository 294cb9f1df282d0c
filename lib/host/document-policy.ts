import * as z from 'zod';
import type { JsonObject } from '../contracts/json.ts';
import type { MetadataDocumentPolicy } from '../contracts/registration.ts';
import type { AuthenticationMethod } from '../protocol/client-authentication.ts';
import { OAuthError } from '../protocol/errors.ts';
import type { OnFault } from '../runtime/events.ts';
import { faultWrapper, isThenable, reportFault } from './faults.ts';
import { checkReturn } from './returned.ts';

const text = z.string().nullish();
const scopes = z.array(z.string(), 'be an array of scopes');
const nothing = z.custom((value) => value === undefined || value === null, 'be nothing; throw an OAuthError to refuse');

export const clientMetadata: z.ZodObject = z.object({
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

export const programSchema: z.ZodObject = z.object({
  id: z.string(),
  name: z.string(),
  publisher: text,
  homePage: text,
});

const copy = z.object({ date: z.iso.date(), document: z.looseObject({}) }).nullish();
const known = z.object({ program: programSchema.nullish(), copy }, 'be { program, copy } or nothing').nullish();
const checkedDocument = z.object(
  {
    metadata: clientMetadata.extend({
      client_id: z.string(),
      token_endpoint_auth_method: z.enum(['none', 'private_key_jwt']),
      jwks: z.object({ keys: z.array(z.looseObject({ kty: z.string() })) }).nullish(),
      jwks_uri: text,
    }),
    digest: z.string(),
  },
  'be { metadata, digest }; throw an OAuthError to refuse',
);

type Wrap = <A extends unknown[], R>(what: string, call: (...args: A) => R, schema: z.ZodType) => (...args: A) => R;

/** Wraps functions of the host that respond at once. An `OAuthError` that they throw is their refusal, everything else a fault. */
export function syncWrapper(onFault: OnFault): Wrap {
  return (what, call, schema) =>
    (...args) => {
      try {
        const returned = call(...args);
        // A promise is refused, and nobody waits for it.
        if (isThenable(returned)) Promise.resolve(returned).catch(() => undefined);
        return checkReturn(what, schema, returned);
      } catch (error) {
        throw error instanceof OAuthError ? error : reportFault(onFault, what, error);
      }
    };
}

/** `reviewed`, which `allowedScopes` calls, may ask a database of the host. */
export function wrapDocumentPolicy(
  policy: MetadataDocumentPolicy,
  onFault: OnFault,
  methods: readonly AuthenticationMethod[],
): MetadataDocumentPolicy {
  const [wrap, wrapSync, name] = [faultWrapper(onFault), syncWrapper(onFault), 'metadataDocuments'];
  return {
    checkClientId: wrapSync(`${name}.checkClientId`, policy.checkClientId.bind(policy), nothing),
    ...(policy.known && { known: wrapSync(`${name}.known`, policy.known.bind(policy), known) }),
    checkDocument: wrapSync(
      `${name}.checkDocument`,
      (clientId: string, document: JsonObject) => policy.checkDocument(clientId, document, methods),
      checkedDocument,
    ),
    allowedScopes: wrap(`${name}.allowedScopes`, async (...call: Parameters<MetadataDocumentPolicy['allowedScopes']>) =>
      checkReturn(`${name}.allowedScopes`, scopes, await policy.allowedScopes(...call)),
    ),
  };
}
