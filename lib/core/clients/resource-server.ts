import { digest } from '../../kernel/crypto.ts';
import type { JsonMembers } from '../../kernel/json.ts';
import type { ClientMetadata } from '../../records/codec.ts';
import type { KnownToClients } from '../enabled/enabled.ts';
import { keyMetadata, type PublicKeys } from '../keys/public-keys.ts';
import { methodOf } from './client-metadata.ts';

/**
 * An API, or a gateway in front of it, that asks the introspection endpoint about access tokens. It is not a client: it cannot authorize, and
 * gets no tokens. RFC 7662.
 */
export interface ResourceServer {
  /** The `client_id`: printable ASCII. It must not be the id of a client. */
  readonly clientId: string;
  /** The secret, stored as a hash. The resource server sends it by HTTP Basic or in the form. @default none: `publicKeys` is needed */
  readonly clientSecret?: string | undefined;
  /**
   * The public keys of a resource server that authenticates with `private_key_jwt` instead of a secret: a JSON Web Key Set, or the `https:`
   * address of one. @default none
   */
  readonly publicKeys?: PublicKeys | undefined;
  /**
   * The types of `boundaries` that it honours: it serves only what `authorization_details` in the introspection response allows. If a token
   * has a limit of another type, the response does not contain the limited scopes. @default none
   */
  readonly honours?: readonly string[] | undefined;
  /** The ids of the schools whose tokens it may introspect. @default every school */
  readonly sites?: readonly string[] | undefined;
}

/** Finds the resource server of a school that has this `client_id`. */
export type ResourceServerFinder = (siteId: string, clientId: string) => ClientMetadata | undefined;

export function resourceServerFinder(
  resourceServers: readonly ResourceServer[],
  known: KnownToClients,
): ResourceServerFinder {
  const rows = new Map(
    resourceServers.map((own) => [own.clientId, { sites: own.sites, metadata: metadataOf(known, own) }]),
  );
  return (siteId, clientId) => {
    const row = rows.get(clientId);
    return row?.sites?.includes(siteId) === false ? undefined : row?.metadata;
  };
}

/** As the engine reads a client. */
function metadataOf(
  known: KnownToClients,
  { clientId, clientSecret, publicKeys, honours }: ResourceServer,
): ClientMetadata {
  const secretDigest = clientSecret === undefined ? undefined : digest(clientSecret);
  return {
    client_id: clientId,
    redirect_uris: [],
    grant_types: [],
    response_types: [],
    token_endpoint_auth_method: methodOf(known, { publicKeys, secretDigest }),
    ...keyMetadata(publicKeys),
    client_secret: secretDigest,
    campus_resource_server: true,
    ...(honours && { campus_honours: honours }),
  };
}

/** Whether the caller may introspect every access token of its school. */
export function isResourceServer({ campus_resource_server: isOne }: JsonMembers): boolean {
  return isOne === true;
}

/** The types of boundaries that a resource server honours. */
export function honoursOf({ campus_honours: honours }: JsonMembers): readonly string[] {
  return Array.isArray(honours) ? honours.filter((type) => typeof type === 'string') : [];
}
