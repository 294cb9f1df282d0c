import type { ClientAudience, StaticClient } from '../contracts/client.ts';
import type { Member, Site } from '../contracts/platform.ts';
import type { MetadataDocumentPolicy } from '../contracts/registration.ts';
import { isMetadataDocumentId } from '../protocol/client-id.ts';
import { OAuthError, TemporarilyUnavailable } from '../protocol/errors.ts';
import { type ScopeCatalogue, splitScope } from '../protocol/scopes.ts';
import type { ClientMetadata } from '../records/codec.ts';
import { audienceOf } from './metadata.ts';

/** A client in use, as far as an access token or its metadata tell. */
export interface ClientUse {
  readonly site: Site;
  readonly clientId: string;
  readonly audience: ClientAudience;
  /** Whether it is configured in code, or was when its token was issued. */
  readonly isStatic: boolean;
  /** The scopes of its metadata, which an access token does not tell. @default all for its audience */
  readonly scope?: string | undefined;
  /** The person; `undefined` until it is known who that is. */
  readonly member: Member | undefined;
}

type UsedClient = Omit<ClientUse, 'site' | 'member'>;

export function clientUse(client: ClientMetadata | undefined): UsedClient | undefined {
  if (!client) return undefined;
  const { client_id: clientId, campus_source: source, scope } = client;
  return { clientId, audience: audienceOf(client), isStatic: source === undefined, scope };
}

/** A finder refuses a document that is no longer permitted, and a token can be that of one. */
export function documentUse(clientId: string): UsedClient {
  return { clientId, audience: 'operator', isStatic: false };
}

/** Whether a scope may be granted. */
export type ScopeCheck = (scope: string) => boolean;

/**
 * What a client may get at a school, for this person, now; `undefined` if it may not be used there. Nothing is fetched. All
 * that grants or honours scopes asks here: the consent page, the engine, verification and introspection.
 */
export type Allowance = (use: ClientUse) => Promise<ScopeCheck | undefined>;

/** The scopes that the client of a metadata document may get at a site; `undefined` if it may not be used there. */
export type DocumentScopes = (siteId: string, clientId: string) => Promise<readonly string[] | undefined>;

interface AllowanceOptions {
  readonly clients: readonly StaticClient[];
  readonly catalogue: ScopeCatalogue;
  /** @default no metadata document is a client */
  readonly documentScopes: DocumentScopes | undefined;
}

export function clientAllowance({ clients, catalogue, documentScopes }: AllowanceOptions): Allowance {
  const sitesOf = new Map(clients.map(({ clientId, sites }) => [clientId, sites]));
  const isHere = (siteId: string, clientId: string): boolean =>
    sitesOf.has(clientId) && sitesOf.get(clientId)?.includes(siteId) !== false;
  return async ({ site, clientId, audience, isStatic, scope }) => {
    const isAllowed: ScopeCheck = (each) => catalogue.mayHave(audience, each);
    if (isStatic && !isHere(site.id, clientId)) return undefined;
    const isDocument = isMetadataDocumentId(clientId);
    if (!isDocument && scope === undefined) return isAllowed;
    const scopes = isDocument ? await documentScopes?.(site.id, clientId) : splitScope(scope);
    return scopes && ((each) => scopes.includes(each) && isAllowed(each));
  };
}

/** Whether the policy permits this metadata document. */
export function isPermitted(policy: Pick<MetadataDocumentPolicy, 'checkClientId'>, clientId: string): boolean {
  try {
    policy.checkClientId(clientId);
    return true;
  } catch (error) {
    if (error instanceof OAuthError && !(error instanceof TemporarilyUnavailable)) return false;
    throw error;
  }
}
