import { type DeclaredBoundary, type Only, undeclaredIn } from '../boundaries/boundary.ts';
import type { ClientAudience, PersonAudience } from '../clients/client.ts';
import { isMetadataDocumentId } from '../clients/client-id.ts';
import type { Clients } from '../clients/client-manager.ts';
import { recordedApp, sameSince } from '../clients/client-metadata.ts';
import type { Subjects } from '../clients/subjects.ts';
import {
  type Allowance,
  type Allowed,
  type ClientUse,
  clientUse,
  documentUse,
  type Refusal,
  tokenUse,
  type TokenUse,
} from './allowance.ts';
import type { AccessRule } from './rights-by-role.ts';
import type { ServiceAllowance } from './service-allowance.ts';
import { type Scope, splitScope } from '../scopes/scopes.ts';
import type { Host } from '../../host/host.ts';
import { currentOrigin } from '../../host/origins.ts';
import type { Member, Service, Site } from '../../host/school-platform.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import type { ClientMetadata, GrantRecord } from '../../records/codec.ts';
import type { RecordOf, RedeemableKind } from '../../records/record.ts';

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
export interface PersonPermission extends GivenPermission {
  readonly audience: PersonAudience;
  readonly member: Member;
  readonly service?: undefined;
  /** What it is limited to. @default nothing */
  readonly only?: Only | undefined;
  /** The pseudonym by which its client knows the person. @default their id */
  readonly pseudonym?: string | undefined;
}

/** What the token of a service may do. */
export interface ServicePermission extends GivenPermission {
  readonly audience: 'service';
  readonly member?: undefined;
  readonly service: Service;
  readonly only?: undefined;
  readonly pseudonym?: undefined;
}

/** What a token may do, and for whom. */
export type Permission = PersonPermission | ServicePermission | NoPermission;

/** Where a permission looks things up. A request that has looked some of them up gives what it found. */
export interface PermissionLookups {
  member(memberId: string): Promise<Member | undefined>;
  /** Nothing is fetched for it. */
  client(clientId: string): Promise<ClientMetadata | undefined>;
  /** The metadata document of a client, as it was last fetched. */
  document(clientId: string): Promise<ClientMetadata | undefined>;
  allowance(use: ClientUse): Promise<Allowed>;
}

/**
 * What a code or token may do at a school now, and for whom. Verification, introspection, refresh and the guard ask this and nothing else, so they
 * cannot differ. Whether a code or refresh token was redeemed before is no part of it: only the store can tell, when it redeems it.
 */
export type PermissionOf = (site: Site, token: PresentedToken, lookups?: PermissionLookups) => Promise<Permission>;

interface PermissionOptions {
  readonly boundaries: readonly DeclaredBoundary[];
  readonly host: Host;
  readonly clients: Clients;
  readonly subjects: Subjects;
  readonly access: AccessRule;
  readonly allowance: Allowance;
  readonly serviceAllowance: ServiceAllowance;
}

export function createPermissionOf(options: PermissionOptions): PermissionOf {
  const { boundaries, host, clients, access, allowance, serviceAllowance } = options;
  const { pseudonymOf } = options.subjects;

  const ownLookups = (site: Site): PermissionLookups => ({
    member: (memberId) => host.platform.findMember(site, memberId),
    client: (clientId) => clients.find(site.id, clientId, 'identify'),
    document: (clientId) => clients.findStored(site.id, clientId, 'identify'),
    allowance,
  });

  async function ofService(
    site: Site,
    { aud, exp, clientId, scope, secret }: RecordOf<'ClientCredentials'>,
    lookups: PermissionLookups,
  ): Promise<ServicePermission | NoPermission> {
    const ended = endedBy(site, aud, exp);
    if (ended) return { refusal: ended };
    const client = await lookups.client(clientId);
    const app = recordedApp(client ?? {});
    const { refusal, mayGrant, service } = await serviceAllowance(site, client, secret);
    if (refusal) return { refusal, app };
    return { clientId, audience: 'service', service, scopes: splitScope(scope).filter(mayGrant), app };
  }

  async function ofAccessToken(
    site: Site,
    token: RecordOf<'AccessToken'>,
    lookups: PermissionLookups,
  ): Promise<PersonPermission | NoPermission> {
    const { aud, exp, accountId: memberId, scope, only, sub: pseudonym } = token;
    const ended = endedBy(site, aud, exp);
    if (ended) return { refusal: ended };
    return ofPerson(site, { use: tokenUse(token), memberId, scopes: splitScope(scope), only, pseudonym }, lookups);
  }

  /** A code or refresh token has what its grant has, and goes with it to another origin of the school. */
  async function ofGrant(
    site: Site,
    { record, grant, scopes: own }: Extract<PresentedToken, { kind: RedeemableKind }>,
    lookups: PermissionLookups,
  ): Promise<PersonPermission | NoPermission> {
    const ended = grant ? endedBy(site, currentOrigin(site, grant.resource), grant.exp) : 'expired';
    if (!grant || ended) return { refusal: ended ?? 'expired' };
    const { accountId: memberId, clientId } = record;
    const isDocument = isMetadataDocumentId(clientId);
    const use = isDocument ? documentUse(clientId) : clientUse(await lookups.client(clientId));
    if (!use) return { refusal: 'client_not_permitted' };
    const granted = splitScope(grant.scope);
    const scopes = own.filter((scope) => granted.includes(scope));
    const { only, sub: pseudonym } = grant;
    const found = await ofPerson(site, { use, memberId, scopes, only, pseudonym, isGrant: true }, lookups);
    if (found.refusal || !isDocument) return found;
    // Specification: Registration rules 3.
    const document = await lookups.document(clientId);
    return document && (grant.at ?? grant.iat) < sameSince(document) ? { refusal: 'client_changed' } : found;
  }

  async function ofPerson(
    site: Site,
    { use, memberId, scopes, only, pseudonym, isGrant = false }: Held,
    lookups: PermissionLookups,
  ): Promise<PersonPermission | NoPermission> {
    const { clientId, audience } = use;
    const member = await lookups.member(memberId);
    if (!member) return { refusal: 'person_gone' };
    // Without roles a person is suspended: their connections wait.
    if (audience === 'service' || access(member, audience) !== 'permitted') return { refusal: 'no_access' };
    const {
      refusal,
      countsWith,
      pseudonym: isPseudonymous = false,
    } = await lookups.allowance({ ...use, site, member });
    if (refusal) return { refusal };
    const known = isPseudonymous && use.sector ? pseudonymOf?.(site.id, use.sector(), memberId) : undefined;
    if (isGrant && pseudonym !== known) return { refusal: 'subject_changed' };
    if (undeclaredIn(boundaries, only) !== undefined) return { refusal: 'boundary_removed' };
    return { clientId, audience, member, scopes: scopes.filter(countsWith(only)), only, pseudonym };
  }

  return (site, token, lookups = ownLookups(site)) => {
    if (token.kind === 'AccessToken') return ofAccessToken(site, token.record, lookups);
    return token.kind === 'ClientCredentials' ? ofService(site, token.record, lookups) : ofGrant(site, token, lookups);
  };
}

/** What a person has given to a client, as a token or a grant has it. */
interface Held {
  readonly use: TokenUse;
  readonly memberId: string;
  readonly scopes: readonly string[];
  readonly only: Only | undefined;
  readonly pseudonym: string | undefined;
  /** A client knows a person by one name: that under which they have allowed it. A token keeps the one that it was issued with. */
  readonly isGrant?: boolean;
}

function endedBy(site: Site, origin: string, exp: number): 'expired' | 'other_origin' | undefined {
  if (exp <= epochSeconds()) return 'expired';
  return origin === site.origin ? undefined : 'other_origin';
}
