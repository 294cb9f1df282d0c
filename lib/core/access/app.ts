import type { ClientMetadata } from '../../records/codec.ts';
import { isFixedCallback } from '../clients/client-fields.ts';
import type { ClientAudience } from '../clients/client.ts';
import { audienceOf, isFirstParty, appOf } from '../clients/client-metadata.ts';
import { signInOf } from '../clients/sign-in-client.ts';
import { type AppKind, appKinds } from '../known-apps/app-kind.ts';
import type { DescribedApp } from '../known-apps/known-apps.ts';

/**
 * How an app came in. That is always known, since it is no claim of the app.
 *
 * - `platform`: it is a client in code.
 * - `application`: an administrator of the school has created it.
 * - `vendor`: the row of a vendor knows it, or it registered itself with addresses on the web.
 * - `document`: it is a metadata document.
 * - `loopback`: it registered itself, and runs on somebody's own computer.
 */
export type AppSource = 'platform' | 'application' | 'vendor' | 'document' | 'loopback';

/** @internal */
export const appSources = [
  'platform',
  'application',
  'vendor',
  'document',
  'loopback',
] as const satisfies readonly AppSource[];

/** An app, as policies see it. */
export interface App {
  /** The id of a known app, proven by its address. Absent if the app is unknown. */
  readonly id?: string | undefined;
  /** The id of the known app whose name it uses. Any app can use any name, so use it only to refuse, never to allow. */
  readonly claimedId?: string | undefined;
  readonly source: AppSource;
  /** The kind of app: `assistant`, unless a source that the school trusts says otherwise. */
  readonly kind: AppKind;
  /** Whether its address or its creator proves who it is. */
  readonly verified: boolean;
  /** Whether the school, or the platform for all schools, has approved this version. */
  readonly reviewed: boolean;
}

/** What is known of an app whatever a school decides. */
export type AppIdentity = Omit<App, 'reviewed'>;

/** A way in which an app becomes a client, or has become one. */
export interface WayIn {
  readonly identity: AppIdentity;
  /** For whom its client acts. */
  readonly audience: ClientAudience;
}

/** The way in which a client has come. */
export function wayOf(client: ClientMetadata): WayIn {
  return { identity: identityOf(client), audience: audienceOf(client) };
}

/** The id by which schools make rules for it. A rule only takes away, so a claim is enough. */
export function ruledId({ id, claimedId }: AppIdentity): string | undefined {
  return id ?? claimedId;
}

/** What is known of an app by the metadata of its client. What the app says of itself reaches `claimedId` alone. */
export function identityOf(client: ClientMetadata): AppIdentity {
  const source = sourceOf(client);
  const app = appOf(client);
  const isMade = source === 'platform' || source === 'application';
  const isProven = app?.verified === true && (source !== 'vendor' || isAtFixedAddresses(client));
  const known = app && (isProven ? { id: app.id } : { claimedId: app.id });
  const said = (isMade ? madeAs(client) : undefined) ?? (isProven ? app.kind : undefined);
  const kind = audienceOf(client) === 'service' ? 'service' : said;
  return { ...known, source, kind: kind ?? 'assistant', verified: isMade || isProven };
}

/** The same for a metadata document, whose address alone says it. */
export function identityOfDocument(row: DescribedApp | undefined): AppIdentity {
  return {
    ...(row && { id: row.id }),
    source: 'document',
    kind: row?.kind ?? 'assistant',
    verified: row !== undefined,
  };
}

/** Whether the platform, or an administrator of the school, has made it: that is its approval. */
export function isMadeHere({ source }: AppIdentity): boolean {
  return source === 'platform' || source === 'application';
}

function sourceOf(client: ClientMetadata): AppSource {
  const { campus_source: source } = client;
  if (source === 'application' || source === 'document') return source;
  if (source === undefined) return client['campus_vendor'] === true ? 'vendor' : 'platform';
  return appOf(client)?.verified === true || isAtFixedAddresses(client) ? 'vendor' : 'loopback';
}

/** Any app on a computer has its loopback addresses. RFC 8252 section 8.6. */
function isAtFixedAddresses({ redirect_uris: uris = [] }: ClientMetadata): boolean {
  return uris.length > 0 && uris.every(isFixedCallback);
}

/** What the platform's code, or the administrator who created it, says it is. */
function madeAs(client: ClientMetadata): AppKind | undefined {
  const said = appKinds.find((kind) => kind === client['campus_kind']);
  return said ?? (isFirstParty(client) || signInOf(client) ? 'website' : undefined);
}
