import * as z from 'zod';
import type { JsonObject } from '../../../kernel/json.ts';
import type { MetadataDocumentPolicy } from './document-policy.ts';
import type { MetadataDocumentsSettings } from './option.ts';
import type { AuthenticationMethod, OptionalAuthentication } from '../../../core/enabled/client-authentication.ts';
import type { OnFault } from '../../../observe/events.ts';
import { faultWrapper } from '../../../observe/faults-to-503.ts';
import { checkReturn } from '../../../host/check-returns.ts';
import { syncWrapper } from '../../../host/policy-verdicts.ts';
import { assertionAudienceField } from '../../../core/clients/assertion-audience.ts';
import type { KnownClients } from '../../../core/clients/client-finder.ts';
import { clientMetadata } from '../../../core/clients/registered-metadata.ts';
import type { ScopeCatalogue } from '../../../core/scopes/scopes.ts';
import { appSchema } from '../../../core/known-apps/app-field.ts';

const text = z.string().nullish();
const scopes = z.array(z.string(), 'be an array of scopes');
const nothing = z.custom(
  (value) => value === undefined || value === null,
  'be undefined; throw an OAuthError to refuse',
);

const copy = z.object({ date: z.iso.date(), document: z.looseObject({}) }).nullish();
const known = z
  .object(
    { app: appSchema.nullish(), copy, assertionAudience: assertionAudienceField.nullable() },
    'be { app, copy, assertionAudience }, or undefined',
  )
  .nullish();
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

export interface DocumentPolicySettings extends MetadataDocumentsSettings {
  readonly clientAuthentication: readonly OptionalAuthentication[];
}

/** `reviewed`, which `allowedScopes` calls, may ask a database of the host. */
function wrapped(
  policy: MetadataDocumentPolicy,
  onFault: OnFault,
  methods: readonly AuthenticationMethod[],
): MetadataDocumentPolicy {
  const [wrap, wrapSync, name] = [faultWrapper(onFault), syncWrapper(onFault), 'metadataDocuments'];
  return {
    checkClientId: wrapSync(`${name}.checkClientId`, policy.checkClientId.bind(policy), nothing),
    apps: policy.apps,
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

/** The policy of the host: what it returns is checked, and its failures are reported as faults. */
export interface DocumentPolicies {
  /** Absent if no metadata document is a client. */
  readonly documents: MetadataDocumentPolicy | undefined;
}

/** What is known of a metadata document by its URL alone. */
export function knownDocuments({ documents }: DocumentPolicies, catalogue: ScopeCatalogue): KnownClients {
  return {
    known: (clientId) => documents?.known?.(clientId),
    async reviewed(clientId, digest) {
      const left = (await documents?.allowedScopes(clientId, digest, catalogue.rows)) ?? [];
      return left.some((scope) => catalogue.row(scope)?.access === 'write');
    },
  };
}

export function documentPolicies(
  { metadataDocuments: policy, clientAuthentication }: DocumentPolicySettings,
  onFault: OnFault,
): DocumentPolicies {
  return { documents: policy && wrapped(policy, onFault, ['none', ...clientAuthentication]) };
}
