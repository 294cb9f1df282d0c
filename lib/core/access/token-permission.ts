import { type DeclaredBoundary, type Only, undeclaredIn } from '../boundaries/boundary.ts';
import type { ClientAudience, PersonAudience } from '../clients/client.ts';
import { isMetadataDocumentId } from '../clients/client-id.ts';
import type { Clients } from '../clients/client-manager.ts';
import { recordedApp, sameSince } from '../clients/client-metadata.ts';
import type { Subjects } from '../clients/subjects.ts';
import { type Scope, splitScope } from '../scopes/scopes.ts';
import type { Host } from '../../host/host.ts';
import { currentOrigin } from '../../host/origins.ts';
import type { Member, Service, Site } from '../../host/school-platform.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import type { ClientMetadata, GrantRecord } from '../../records/codec.ts';
import type { RecordOf, RedeemableKind } from '../../records/record.ts';
import { appCode } from './app-of-token.ts';
import { LookUps, type LookUpSources, type Permit } from './look-ups.ts';
import type { Decider } from './rule.ts';
import type { Refusal } from './who-can-change.ts';
import type { Moment } from './policy.ts';
import type { PermitService } from './service-permission.ts';
import { clientUse, documentUse, tokenUse, type UsedClient } from './used-client.ts';

/** A code or token that somebody uses, as the store has it. */
export type PresentedToken =
  | { readonly kind: 'AccessToken'; readonly record: RecordOf<'AccessToken'> }
  | { readonly kind: 'ClientCredentials'; readonly record: RecordOf<'ClientCredentials'> }
  | {
      readonly kind: RedeemableKind;
      readonly record: RecordOf<RedeemableKind>;
      readonly grant: GrantRecord | undefined;
      /** Those that it was issued with, and what was added for its family. */
      readonly scopes: readonly string[];
    };

/** Why a token may do nothing, as audit events say it. */
export type NoPermissionReason =
  | Refusal
  /** The platform no longer knows the person, so their connections end. */
  | 'person_gone'
  | 'expired'
  | 'other_origin'
  /** It is limited by a boundary that the platform no longer has: nothing tells what it was limited to. */
  | 'boundary_removed'
  /** The person allowed another version of the client, or allowed it under another name. */
  | 'client_changed'
  | 'subject_changed';

interface NoPermission {
  readonly refusal: NoPermissionReason;
  /** Whose rule it was, if it was a rule. */
  readonly by?: Decider | undefined;
  readonly member?: undefined;
  readonly service?: undefined;
  readonly app?: string | undefined;
}

interface GivenPermission {
  readonly refusal?: undefined;
  readonly clientId: string;
  readonly audience: ClientAudience;
  /** What it may do, if its limits are honoured. */
  readonly scopes: readonly Scope[];
  /** The app that the record of its client names, if that was looked up. */
  readonly app?: string | undefined;
}

/** What the token of a person may do, within what it is limited to. */
export interface PermissionOfPerson extends GivenPermission {
  readonly audience: PersonAudience;
  readonly member: Member;
  readonly service?: undefined;
  /** What it is limited to. @default nothing */
  readonly only?: Only | undefined;
  /** The pseudonym by which its client knows the person. @default their id */
  readonly pseudonym?: string | undefined;
  /** What an access token gets of it that is issued now. Absent for one that is used. */
  readonly issued?: { readonly app: string; readonly roles: readonly string[] | undefined } | undefined;
}

/** What the token of a service may do. */
export interface PermissionOfService extends GivenPermission {
  readonly audience: 'service';
  readonly member?: undefined;
  readonly service: Service;
  readonly only?: undefined;
  readonly pseudonym?: undefined;
}

/** What a token may do, and for whom. */
export type TokenPermission = PermissionOfPerson | PermissionOfService | NoPermission;

/** Where a permission looks things up. A request that has looked some of them up gives what it found. */
export interface PermissionLookups {
  member(memberId: string): Promise<Member | undefined>;
  /** Nothing is fetched for it. */
  client(clientId: string): Promise<ClientMetadata | undefined>;
  /** The metadata document of a client, as it was last fetched. */
  document(clientId: string): Promise<ClientMetadata | undefined>;
  /** What was looked up of a person and a client; nothing if nothing was. */
  lookUps?(site: Site, client: UsedClient, memberId: string): LookUps;
}

/**
 * What a code or token may do at a school now, and for whom. Verification, introspection, refresh and the guard ask this and nothing else, so they
 * cannot differ. Whether a code or refresh token was redeemed before is no part of it: only the store can tell, when it redeems it.
 */
export type PermissionOf = (site: Site, token: PresentedToken, lookups?: PermissionLookups) => Promise<TokenPermission>;

interface PermissionOptions {
  readonly boundaries: readonly DeclaredBoundary[];
  readonly host: Host;
  readonly clients: Clients;
  readonly subjects: Subjects;
  readonly sources: LookUpSources;
  readonly permit: Permit;
  readonly permitService: PermitService;
}

/** What all that a grant gives may do at the next refresh. */
export type PermissionAtRefresh = (
  site: Site,
  grant: GrantRecord,
  lookups?: Partial<PermissionLookups>,
) => Promise<PermissionOfPerson | NoPermission>;

export function createPermissions(options: PermissionOptions): {
  readonly permissionOf: PermissionOf;
  readonly permissionAtRefresh: PermissionAtRefresh;
} {
  const { boundaries, host, clients, sources, permit, permitService } = options;
  const { pseudonymOf } = options.subjects;

  const ownLookups = (site: Site): PermissionLookups => ({
    member: (memberId) => host.platform.findMember(site, memberId),
    client: (clientId) => clients.find(site.id, clientId, 'identify'),
    document: (clientId) => clients.findStored(site.id, clientId, 'identify'),
  });

  async function ofService(
    site: Site,
    { aud, exp, clientId, scope, secret }: RecordOf<'ClientCredentials'>,
    lookups: PermissionLookups,
  ): Promise<PermissionOfService | NoPermission> {
    const ended = endedBy(site, aud, exp);
    if (ended) return { refusal: ended };
    const client = await lookups.client(clientId);
    const app = recordedApp(client ?? {});
    const question = { site, client, scopes: splitScope(scope), at: 'use', secret } as const;
    const { permission, service } = await permitService(question);
    const { refused, scopes } = permission;
    if (refused || !service) return { refusal: refused?.refusal ?? 'no_access', app };
    return { clientId, audience: 'service', service, scopes, app };
  }

  async function ofAccessToken(
    site: Site,
    token: RecordOf<'AccessToken'>,
    lookups: PermissionLookups,
  ): Promise<PermissionOfPerson | NoPermission> {
    const { aud, exp, accountId: memberId, scope, only, sub: pseudonym } = token;
    const ended = endedBy(site, aud, exp);
    if (ended) return { refusal: ended };
    const held = { use: tokenUse(token), memberId, scopes: splitScope(scope), only, pseudonym, at: 'use' } as const;
    return ofPerson(site, held, lookups);
  }

  /** A code or refresh token has what its grant has, and goes with it to another origin of the school. */
  async function ofRedeemable(
    site: Site,
    { kind, grant, scopes: own }: Extract<PresentedToken, { kind: RedeemableKind }>,
    lookups: PermissionLookups,
  ): Promise<PermissionOfPerson | NoPermission> {
    if (!grant) return { refusal: 'expired' };
    const granted = splitScope(grant.scope);
    const scopes = own.filter((scope) => granted.includes(scope));
    return ofGrant(site, { grant, scopes, at: kind === 'RefreshToken' ? 'refresh' : 'connect' }, lookups);
  }

  async function ofGrant(
    site: Site,
    { grant, scopes, at }: GrantQuestion,
    lookups: PermissionLookups,
  ): Promise<PermissionOfPerson | NoPermission> {
    const ended = endedBy(site, currentOrigin(site, grant.resource), grant.exp);
    if (ended) return { refusal: ended };
    const { accountId: memberId, clientId } = grant;
    const isDocument = isMetadataDocumentId(clientId);
    const use = isDocument ? documentUse(clientId) : clientUse(await lookups.client(clientId));
    if (!use) return { refusal: 'client_not_permitted' };
    const { only, sub: pseudonym } = grant;
    const found = await ofPerson(site, { use, memberId, scopes, only, pseudonym, at }, lookups);
    if (found.refusal || !isDocument) return found;
    // Specification: Registration rules 3.
    const document = await lookups.document(clientId);
    return document && (grant.at ?? grant.iat) < sameSince(document) ? { refusal: 'client_changed' } : found;
  }

  async function ofPerson(
    site: Site,
    { use, memberId, scopes: held, only, pseudonym, at }: Held,
    lookups: PermissionLookups,
  ): Promise<PermissionOfPerson | NoPermission> {
    const { clientId, audience } = use;
    const member = await lookups.member(memberId);
    if (!member) return { refusal: 'person_gone' };
    // Without roles a person is suspended: their connections wait.
    if (audience === 'service') return { refusal: 'no_access' };
    const lookUps = lookups.lookUps?.(site, use, memberId) ?? new LookUps(sources, { site, client: use, memberId });
    const permission = await permit({ site, client: use, member, scopes: held, at, chosen: { only } }, lookUps);
    const { refused, scopes, rule, isAllowed: allowed } = permission;
    if (refused) return { refusal: refused.refusal ?? 'no_access', by: refused.by };
    const known = permission.pseudonym && use.sector ? pseudonymOf?.(site.id, use.sector(), memberId) : undefined;
    if (at !== 'use' && pseudonym !== known) return { refusal: 'subject_changed' };
    if (undeclaredIn(boundaries, only) !== undefined) return { refusal: 'boundary_removed' };
    const found = { clientId, audience, member, scopes, only, pseudonym };
    if (at === 'use') return found;
    return { ...found, issued: { app: appCode({ ...(await lookUps.app()), allowed }), roles: rule.roles } };
  }

  return {
    permissionOf(site, token, lookups = ownLookups(site)) {
      if (token.kind === 'AccessToken') return ofAccessToken(site, token.record, lookups);
      if (token.kind === 'ClientCredentials') return ofService(site, token.record, lookups);
      return ofRedeemable(site, token, lookups);
    },
    permissionAtRefresh: (site, grant, lookups) =>
      ofGrant(site, { grant, scopes: splitScope(grant.scope), at: 'refresh' }, { ...ownLookups(site), ...lookups }),
  };
}

/** A grant, and which of its scopes are wanted when. */
interface GrantQuestion {
  readonly grant: GrantRecord;
  readonly scopes: readonly string[];
  readonly at: Moment;
}

/** What a person has given to a client, as a token or a grant has it. */
interface Held {
  readonly use: UsedClient;
  readonly memberId: string;
  readonly scopes: readonly string[];
  readonly only: Only | undefined;
  readonly pseudonym: string | undefined;
  /** A grant knows a person by one name: that under which they have allowed it. An access token keeps the one that it was issued with. */
  readonly at: Moment;
}

function endedBy(site: Site, origin: string, exp: number): 'expired' | 'other_origin' | undefined {
  if (exp <= epochSeconds()) return 'expired';
  return origin === site.origin ? undefined : 'other_origin';
}
