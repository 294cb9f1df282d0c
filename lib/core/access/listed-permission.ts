import type { MaybePromise, Member, Site } from '../../host/school-platform.ts';
import type { DeclaredBoundary } from '../boundaries/boundary.ts';
import type { ClientAudience } from '../clients/client.ts';
import type { AppStatus, VersionState } from '../clients/client-status.ts';
import type { Scope, ScopeCatalogue } from '../scopes/scopes.ts';
import { type AppIdentity, isMadeHere, type WayIn } from './app.ts';
import type { AccessPolicies, NamedRule } from './ask-policies.ts';
import {
  type PermissionOutcome,
  type Facts,
  none,
  outcomeOf,
  type Permission,
  type VersionScopes,
} from './permission.ts';
import { walk } from './steps.ts';
import type { AllowedPersonFinder } from './allowed-people.ts';
import type { RuleOrigin } from './app-rule.ts';
import type { RoleRights } from './operator-and-admin-roles.ts';
import { isStricter, noRule, type AppRule } from './rule.ts';

/** What lists are made from. */
export interface ListSources {
  readonly policies: AccessPolicies;
  readonly catalogue: ScopeCatalogue;
  /** Those for which a rule can demand a limit. */
  readonly boundaries: readonly DeclaredBoundary[];
  /** Whether a rule can have pseudonyms. */
  readonly hasPseudonyms: boolean;
}

export interface ListQuestion {
  readonly site: Site;
  /** The ways in which the app can become a client, or has become one. Where there is none, no policy is asked. */
  readonly ways: readonly WayIn[];
  /** Its id as a known app. @default none */
  readonly app: string | undefined;
  /** The client. @default it is not known yet which client the app will be: one that acts for operators */
  readonly client?: ListedClient | undefined;
  /** What the school has decided on the current version of the client. @default nothing */
  readonly version?: VersionState | undefined;
  /** The school's rule for it. */
  readonly school: AppRule | undefined;
  /** @default nobody: policies answer as to a stranger, and what a role decides is left out */
  readonly person?: AskingPerson | undefined;
  /** Whether all is wanted that takes something away, also after a refusal. @default false */
  readonly allReasons?: boolean | undefined;
  /** @default all for the audience of the client */
  readonly scopes?: readonly Scope[] | undefined;
}

interface AskingPerson {
  readonly isPersonAllowed: AllowedPersonFinder;
  readonly member: Member;
  /** Who may use which client. @default the person may use each */
  readonly rights?: RoleRights | undefined;
}

/** A client, as far as rules ask for it. */
export interface ListedClient {
  readonly clientId: string;
  readonly audience: ClientAudience;
  readonly subject?: 'pairwise' | undefined;
}

/** What rules, policies, and the school's decision on the version give. */
export interface ListedPermission extends Permission {
  readonly outcome: PermissionOutcome;
  /** Where the rule is from; `platform` if policies make it stricter than the school does. */
  readonly from: RuleOrigin;
}

/** From the mildest to the strictest. */
const severity: readonly PermissionOutcome[] = ['allowed', 'view_only', 'needs_approval', 'blocked', 'impossible'];

/**
 * Walks the steps without look-ups, so that lists can say it of thousands of clients: the scopes of the client itself are left out. Where an app has several
 * ways in, what the mildest of them gives.
 */
export async function listedPermission(sources: ListSources, question: ListQuestion): Promise<ListedPermission> {
  const ways = question.ways.length > 0 ? question.ways : [undefined];
  const found = await Promise.all(ways.map((way) => alongOneWay(sources, question, way)));
  const [mildest] = found.toSorted((a, b) => severity.indexOf(a.outcome) - severity.indexOf(b.outcome));
  if (!mildest) throw new Error('an app has no way in');
  return mildest;
}

async function alongOneWay(
  sources: ListSources,
  question: ListQuestion,
  way: WayIn | undefined,
): Promise<ListedPermission> {
  const facts = listedFacts(sources, question, way);
  const found = await walk(facts);
  const { school } = question;
  const isOfPlatform = isStricter(found.rule, school ?? noRule);
  const outcome = outcomeOf(found, facts.asked.scopes, sources.catalogue);
  return { ...found, outcome, from: isOfPlatform ? 'platform' : school ? 'school' : 'default' };
}

function listedFacts(
  { policies, catalogue, boundaries, hasPseudonyms }: ListSources,
  { site, client, app, version = 'undecided', school, person, scopes, allReasons }: ListQuestion,
  way: WayIn | undefined,
): Facts {
  const { clientId, audience = way?.audience ?? 'operator', subject } = client ?? {};
  const asked = {
    site,
    client: { clientId: clientId ?? '', audience, isStatic: false },
    member: person?.member,
    scopes: scopes ?? catalogue.of(audience),
    at: 'connect',
    allReasons,
    // Nobody chooses for a service.
    ...(audience === 'service' && { chosen: { only: undefined } }),
  } as const;
  return {
    asked,
    catalogue,
    boundaries,
    isHere: true,
    // Where nothing lets it in yet, the school can still create a client of it that acts for members.
    right: person?.rights?.(person.member, client || way ? audience : 'member') ?? 'permitted',
    operatorRoles: person?.rights?.operatorRoles ?? none,
    hasPseudonym: hasPseudonyms,
    // It has the identity scopes that it was given.
    pairwise: subject && !hasPseudonyms ? 'given' : undefined,
    school: () => school,
    isAllowed: () => person?.isPersonAllowed(site.id, { clientId, app }, person.member.id) ?? false,
    version: (isViewOnly) => versionScopes(version, isViewOnly, catalogue),
    policies: (): MaybePromise<readonly NamedRule[]> =>
      way
        ? policies({
            site,
            app: { ...way.identity, reviewed: isReviewed(way.identity, client, version) },
            client: { id: clientId, audience },
            member: person?.member,
            scopes: asked.scopes,
            at: 'connect',
          })
        : [],
  };
}

/** A metadata document on which the school need not decide is one that the platform has reviewed. */
function isReviewed(identity: AppIdentity, client: ListedClient | undefined, version: VersionState): boolean {
  if (isMadeHere(identity) || version === 'approved') return true;
  return identity.source === 'document' && client !== undefined && version === 'undecided';
}

function versionScopes(version: VersionState, isViewOnly: boolean, catalogue: ScopeCatalogue): VersionScopes {
  if (version === 'rejected') return { refusal: 'client_blocked' };
  if (version === 'approved' || (version === 'undecided' && !isViewOnly)) return {};
  return { open: (scope) => catalogue.row(scope)?.access !== 'write' };
}

/** The word of lists. */
export function statusIn({ outcome }: ListedPermission): AppStatus {
  return outcome === 'impossible' ? 'blocked' : outcome;
}
