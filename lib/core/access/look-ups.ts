import type { MaybePromise, Member, Site } from '../../host/school-platform.ts';
import type { DeclaredBoundary } from '../boundaries/boundary.ts';
import { isMetadataDocumentId } from '../clients/client-id.ts';
import type { ClientFinder } from '../clients/client-finder.ts';
import type { DocumentScopes } from '../clients/client-source.ts';
import type { DescribedApp } from '../known-apps/known-apps.ts';
import type { ScopeCatalogue } from '../scopes/scopes.ts';
import { type App, type AppIdentity, identityOfDocument, isMadeHere, ruledId } from './app.ts';
import { appOfCode, type IssuedApp } from './app-of-token.ts';
import type { AccessPolicies, NamedRule } from './ask-policies.ts';
import { actorHasRole } from './actor-has-role.ts';
import {
  after,
  asRefused,
  type Asked,
  type Facts,
  type Permission,
  untouched,
  type VersionScopes,
} from './permission.ts';
import { rulesOfPlatform } from './rules-of-platform.ts';
import { walk } from './steps.ts';
import type { AllowedPersonFinder } from './allowed-people.ts';
import type { RuledClient, SchoolRuleFinder, SchoolSays } from './school-rules.ts';
import type { RoleRights } from './operator-and-admin-roles.ts';
import { noRule, type AppRule } from './rule.ts';
import { clientUse, type Pairwise, type UsedClient } from './used-client.ts';

/** The scopes that an administrator has approved for a client; `undefined` if one has rejected it. */
export type ApprovedScopes = (siteId: string, client: UsedClient) => Promise<readonly string[] | undefined>;

/** Where a permission finds what it needs. */
export interface LookUpSources {
  readonly policies: AccessPolicies;
  readonly catalogue: ScopeCatalogue;
  readonly boundaries: readonly DeclaredBoundary[];
  /** Whether a rule can have pseudonyms. */
  readonly hasPseudonyms: boolean;
  readonly rights: RoleRights;
  /** Whether a client in code is one of this school. */
  readonly isConfigured: (siteId: string, clientId: string) => boolean;
  /** Whether a client in code knows people by pseudonyms. */
  readonly isPairwise: (clientId: string) => boolean;
  /** The row of a client whose id alone tells it. */
  readonly rowOf: (clientId: string) => DescribedApp | undefined;
  readonly schoolRule: SchoolRuleFinder;
  readonly isPersonAllowed: AllowedPersonFinder;
  /** @default no metadata document is a client */
  readonly documentScopes: DocumentScopes | undefined;
  readonly approvedScopes: ApprovedScopes;
}

/** Whose use of which client it is. */
export interface Parties extends Pick<Asked, 'site' | 'client'> {
  readonly memberId: string | undefined;
}

/** Finds the rule of the school for a client. */
export type FindSchool = (client: RuledClient) => MaybePromise<SchoolSays>;

/** What has to be looked up for a person and a client, at most once for each request, however often that asks. */
export class LookUps {
  readonly #sources: LookUpSources;
  readonly #parties: Parties;
  #identity: AppIdentity | undefined;
  #school: MaybePromise<SchoolSays> | undefined;
  readonly #findSchool: FindSchool;
  #isAllowed: MaybePromise<boolean> | undefined;
  #document: ReturnType<DocumentScopes> | undefined;
  #version: MaybePromise<VersionScopes> | undefined;

  /** @param findSchool - what is asked for the rule of the school in place of the store */
  constructor(sources: LookUpSources, parties: Parties, findSchool?: FindSchool) {
    this.#sources = sources;
    this.#parties = parties;
    this.#findSchool = findSchool ?? ((client) => sources.schoolRule(parties.site.id, client));
  }

  get #issued(): IssuedApp | undefined {
    const { token } = this.#parties.client;
    return token && appOfCode(token.app);
  }

  /** Who the app is; with a token, who it was when that was issued. */
  identity(): AppIdentity {
    const { clientId, identity } = this.#parties.client;
    this.#identity ??= this.#issued ?? identity ?? identityOfDocument(this.#sources.rowOf(clientId));
    return this.#identity;
  }

  /** A rule that takes something away ends all tokens of its clients, so a token has what it needs of it. */
  school(): MaybePromise<SchoolSays> {
    const { token } = this.#parties.client;
    if (token) return { rule: token.roles && { ...noRule, roles: token.roles } };
    this.#school ??= this.#findSchool(this.ruled());
    return this.#school;
  }

  /** What a rule of the school can be for. */
  ruled(): RuledClient {
    return { clientId: this.#parties.client.clientId, app: ruledId(this.identity()) };
  }

  isAllowed(): MaybePromise<boolean> {
    const { site, client, memberId } = this.#parties;
    const { token } = client;
    if (memberId === undefined) return false;
    this.#isAllowed ??= token
      ? appOfCode(token.app).allowed
      : this.#sources.isPersonAllowed(site.id, this.ruled(), memberId);
    return this.#isAllowed;
  }

  /** The app with the review of its current version; with a token, of the version with which that was issued. */
  app(): MaybePromise<App> {
    const identity = this.identity();
    return this.#issued ?? after(this.#isReviewed(identity), (reviewed): App => ({ ...identity, reviewed }));
  }

  #isReviewed(identity: AppIdentity): MaybePromise<boolean> {
    if (isMadeHere(identity)) return true;
    if (identity.source === 'document')
      return after(this.#documentScopes(), (found) => typeof found === 'object' && found.reviewed);
    return after(
      this.school(),
      ({ approved }) => approved !== undefined && approved === this.#parties.client.digest?.(),
    );
  }

  #documentScopes(): MaybePromise<Awaited<ReturnType<DocumentScopes>>> {
    const { site, client } = this.#parties;
    this.#document ??= this.#sources.documentScopes?.(site.id, client.clientId);
    return this.#document;
  }

  version(isViewOnly: boolean): MaybePromise<VersionScopes> {
    const isDocument = isMetadataDocumentId(this.#parties.client.clientId);
    if (!isDocument && !isViewOnly) return allOpen;
    this.#version ??= this.#versionScopes(isDocument, isViewOnly);
    return this.#version;
  }

  async #versionScopes(isDocument: boolean, isViewOnly: boolean): Promise<VersionScopes> {
    const { site, client } = this.#parties;
    const { approvedScopes, catalogue } = this.#sources;
    const document = isDocument ? await this.#documentScopes() : undefined;
    if (document === 'rejected') return { refusal: 'client_blocked' };
    if (isDocument && !document) return { refusal: 'client_not_permitted' };
    const approved = isViewOnly ? await approvedScopes(site.id, client) : undefined;
    if (isViewOnly && !approved) return { refusal: 'client_blocked' };
    return {
      open: (scope) =>
        document?.scopes.includes(scope) !== false &&
        (!approved || approved.includes(scope) || catalogue.row(scope)?.access !== 'write'),
    };
  }
}

const allOpen: VersionScopes = Object.freeze({});
const none: readonly never[] = Object.freeze([]);

/** The facts about a client that people connect or use. */
class AskedFacts implements Facts {
  readonly asked: Asked;
  readonly #sources: LookUpSources;
  readonly #lookUps: LookUps;

  constructor(asked: Asked, sources: LookUpSources, lookUps: LookUps) {
    this.asked = asked;
    this.#sources = sources;
    this.#lookUps = lookUps;
  }

  get catalogue(): ScopeCatalogue {
    return this.#sources.catalogue;
  }

  get boundaries(): readonly DeclaredBoundary[] {
    return this.#sources.boundaries;
  }

  get operatorRoles(): readonly string[] {
    return this.#sources.rights.operatorRoles;
  }

  get isHere(): boolean {
    const { site, client } = this.asked;
    return !client.isStatic || this.#sources.isConfigured(site.id, client.clientId);
  }

  get right(): ReturnType<RoleRights> {
    const { member, client, assumesRole = false } = this.asked;
    return member && !assumesRole ? this.#sources.rights(member, client.audience) : 'permitted';
  }

  get hasPseudonym(): boolean {
    const { token } = this.asked.client;
    return token ? token.sub !== undefined : this.#sources.hasPseudonyms;
  }

  get pairwise(): Pairwise | undefined {
    const { pairwise, isStatic, clientId } = this.asked.client;
    return pairwise ?? (isStatic && this.#sources.isPairwise(clientId) ? 'given' : undefined);
  }

  school(): MaybePromise<AppRule | undefined> {
    return after(this.#lookUps.school(), ({ rule }) => rule);
  }

  isAllowed(): MaybePromise<boolean> {
    return this.#lookUps.isAllowed();
  }

  version(isViewOnly: boolean): MaybePromise<VersionScopes> {
    return this.#lookUps.version(isViewOnly);
  }

  /** Nobody is refused by what a policy would say of a stranger. */
  policies(): MaybePromise<readonly NamedRule[]> {
    const { member, service, asStranger = false, at } = this.asked;
    if ((!member && !service && !asStranger) || !this.#sources.policies.countAt(at)) return none;
    return after(this.#lookUps.app(), (app) => this.#ask(app));
  }

  #ask(app: App): MaybePromise<readonly NamedRule[]> {
    const { site, client, member, service, scopes, at, approving = false } = this.asked;
    return this.#sources.policies({
      site,
      app: approving ? { ...app, reviewed: true } : app,
      client: { id: client.clientId, audience: client.audience },
      member,
      service,
      scopes,
      at,
      ...(approving && { approving }),
    });
  }
}

/**
 * What a client may get at a school, for this person or service, now. No document is fetched. All that registers clients, and grants or honours scopes asks
 * here: registration, the consent page, the engine, verification and introspection.
 */
export type Permit = (asked: Asked, lookUps?: LookUps) => Promise<Permission>;

export function createPermit(sources: LookUpSources): Permit {
  return (asked, lookUps) => {
    const { site, client, member } = asked;
    return walk(
      new AskedFacts(asked, sources, lookUps ?? new LookUps(sources, { site, client, memberId: member?.id })),
    );
  };
}

/** What policies alone say of a client, for a person; `undefined` for a client that does not exist. */
export type OfPlatform = (question: PlatformQuestion) => Promise<Permission | undefined>;

interface PlatformQuestion {
  readonly site: Site;
  readonly member: Member;
  readonly clientId: string;
  /** Whether the question is what the person may approve for the school. @default false */
  readonly approving?: boolean;
}

/**
 * The same question as on the consent page, for the pages on which administrators decide. It decides on no connection: what they decide is what the next
 * permission is made from, so a rule or an approval in force must not narrow it.
 */
export function createOfPlatform(sources: LookUpSources, findStored: ClientFinder): OfPlatform {
  return async ({ site, member, clientId, approving = false }) => {
    const client = clientUse(await findStored(site.id, clientId, 'identify'));
    if (!client) return undefined;
    const scopes = sources.catalogue.of(isMetadataDocumentId(clientId) ? 'operator' : client.audience);
    const asked = { site, client, member, scopes, at: 'connect', approving } as const;
    const facts = new AskedFacts(asked, sources, new LookUps(sources, { site, client, memberId: member.id }));
    const found = await rulesOfPlatform(untouched(scopes), facts);
    return asRefused(found.refused ? found : actorHasRole(found, facts));
  };
}
