import type { Service } from '../../host/school-platform.ts';
import { digest } from '../../kernel/crypto.ts';
import { type ClientMetadata, optional, text } from '../../records/codec.ts';
import type { RecordOf } from '../../records/record.ts';
import type { ClientAudience } from '../clients/client.ts';
import { audienceOf, appOf } from '../clients/client-metadata.ts';
import { documentSector, isPairwise as isPairwiseClient, sectorOf } from '../clients/subjects.ts';
import { type AppIdentity, identityOf } from './app.ts';
import { appKey } from './grantees.ts';
import type { RuledApp } from './app-rule.ts';

/**
 * How a client comes to know people by pseudonyms without a rule: the school has chosen that for its own application, together with the
 * identity scopes that it keeps, or it was given that in code.
 */
export type Pairwise = 'chosen' | 'given';

/** A client in use, as far as an access token or its metadata tell. */
export interface UsedClient {
  readonly clientId: string;
  readonly audience: ClientAudience;
  /** Whether it is configured in code, or was when its token was issued. */
  readonly isStatic: boolean;
  /** The scopes of its metadata, which an access token does not tell. @default all for its audience */
  readonly scope?: string | undefined;
  /** @default what its id tells, or its token */
  readonly identity?: AppIdentity | undefined;
  /** The app for which it counts, as each installation does that registers itself under the name of an app. @default it counts alone */
  readonly appKey?: string | undefined;
  /** Clients of one sector have the same pseudonym for a person. @default not known */
  readonly sector?: (() => string) | undefined;
  /** Whether it knows people by pseudonyms, whatever the rules say; `chosen`: its scopes are those that the school chose for it. @default no */
  readonly pairwise?: Pairwise | undefined;
  /** What an approval is bound to, unless it is a metadata document. @default any version */
  readonly digest?: (() => string) | undefined;
  /** The facts about a service from the platform. @default it is not one */
  readonly service?: Service | undefined;
  /** The access token with which it is used. @default none */
  readonly token?: UsedToken | undefined;
}

/** What an access token has of the permission with which it was issued. */
export type UsedToken = Pick<RecordOf<'AccessToken'>, 'app' | 'roles' | 'sub'>;

export function clientUse(client: ClientMetadata): UsedClient;
export function clientUse(client: ClientMetadata | undefined): UsedClient | undefined;
export function clientUse(client: ClientMetadata | undefined): UsedClient | undefined {
  if (!client) return undefined;
  const { client_id: clientId, campus_source: source, scope } = client;
  const app = source === 'registered' ? appOf(client) : undefined;
  const pairwise = isPairwiseClient(client) ? (source === 'application' ? 'chosen' : 'given') : undefined;
  return {
    clientId,
    audience: audienceOf(client),
    isStatic: source === undefined,
    scope,
    identity: identityOf(client),
    appKey: app && appKey(app),
    digest: () => clientDigest(client),
    sector: () => sectorOf(client),
    pairwise,
  };
}

export function tokenUse(token: RecordOf<'AccessToken'>): UsedClient {
  const { clientId, audience, isStatic } = token;
  return { clientId, audience, isStatic, token };
}

/** The use of a client with a metadata document. It needs no look-up: the finder refuses a document that is no longer permitted, but its tokens still exist. */
export function documentUse(clientId: string): UsedClient {
  return { clientId, audience: 'operator', isStatic: false, sector: () => documentSector(clientId) };
}

/** What an approval is bound to: that of a metadata document, otherwise that of what people see of the client. */
export function clientVersion(client: ClientMetadata): string {
  return optional(client, 'campus_digest', text) ?? clientDigest(client);
}

/** What an administrator approves of a client that is not a metadata document. */
export function clientDigest({ client_name: name, redirect_uris: uris = [] }: ClientMetadata): string {
  return digest(JSON.stringify([name, [...uris].sort()]));
}

/** The app of a client's metadata, as a record has it. */
export function usedApp(app: Readonly<Record<string, unknown>> | undefined): RuledApp | undefined {
  const { id, verified } = app ?? {};
  return typeof id === 'string' ? { id, verified: verified === true } : undefined;
}
