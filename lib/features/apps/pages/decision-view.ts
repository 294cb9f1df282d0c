import type { Enabled } from '../../../core/enabled/enabled.ts';
import { personName } from '../../../host/member-profile.ts';
import type { ConnectedClient } from '../../../core/clients/listed-client.ts';
import type { Decided } from '../../../core/clients/client-status.ts';
import type { AppRule } from '../../../core/access/rule.ts';
import type { DeclaredBoundary } from '../../../core/boundaries/boundary.ts';
import type { LimitChoices } from '../../../core/boundaries/limit-choices.ts';
import type { AllowedPerson, ListedApp, Apps } from '../../../core/apps/apps.ts';
import type { AppTarget } from '../../../core/access/app-rule.ts';
import { namedApp } from '../../../core/apps/named-app.ts';
import { noRule } from '../../../core/access/rule.ts';
import { takesAway } from '../../../core/access/ended-by-rule.ts';
import type { SchoolRoles, SchoolRolesFinder } from '../../../core/access/school-roles.ts';
import type { ShownVersion } from '../../../core/access/app-review.ts';
import type { MemberPageRequest, MemberPagesOptions } from '../../../pages/kit/page-access.ts';
import type { CountedPeople } from '../domain/rule-reach.ts';

/** An app or client, with the version of it that administrators decide on, if it has one. */
export interface Decidable {
  readonly listed: ListedApp;
  readonly document?: ShownVersion | undefined;
  /** The client, if it is one. @default a known app with all its clients */
  readonly client?: ConnectedClient | undefined;
  /** Whether it knows people by pseudonyms by its own settings, whatever the decision says. @default no */
  readonly isPairwise?: boolean | undefined;
}

/** All that the form of a decision shows. */
export interface DecisionView extends Decidable {
  readonly roles: SchoolRoles;
  /** What applies without a decision on exactly this: that on its app, or nothing. */
  readonly fallback: AppRule;
  /** With the name of who decided, if that is known. */
  readonly decided: (Decided & { readonly name?: string | undefined }) | undefined;
  readonly people: AllowedPeople;
  /** Whether the school can have people known by pseudonyms. */
  readonly canHide: boolean;
  /** What the school can demand limits of. */
  readonly boundaries: readonly DeclaredBoundary[];
  /** The request of a person that led to the page. @default none */
  readonly requestId: string | undefined;
  /** Who is connected, by role. @default nobody, or nobody was counted */
  readonly connected?: CountedPeople | undefined;
  /** What was entered and not saved. @default nothing */
  readonly attempt?: DecisionAttempt | undefined;
}

/** A decision that was not saved, as it was entered. */
export interface DecisionAttempt {
  /** With the roles that were ticked or entered, also where that is none. @default what applies now */
  readonly rule?: AppRule | undefined;
  readonly note: string | undefined;
  /** The version that the form showed. @default the current one */
  readonly version?: string | undefined;
  /** @default something else has changed since */
  readonly problem?: DecisionProblem | undefined;
}

/** What is wrong, at which field. */
export type DecisionProblem =
  | { readonly field: 'roles'; readonly text: 'rule.nobody' }
  | { readonly field: 'roles'; readonly text: 'rule.role.problem'; readonly role: string }
  | { readonly field: 'note'; readonly text: 'rule.note.problem' };

/** The people for whom the school has decided one by one, the latest first. */
export interface AllowedPeople {
  /** Some at most. `by` is a name. */
  readonly all: readonly (AllowedPerson & { readonly name: string | undefined })[];
  readonly total: number;
}

export interface DecisionOptions extends MemberPagesOptions {
  readonly apps: Apps;
  readonly schoolRoles: SchoolRolesFinder;
  readonly enabled: Enabled;
  readonly limits: LimitChoices;
}

export type DecisionRequest = DecisionOptions & MemberPageRequest;

/** A page asks the platform for so many names. */
const maxPeople = 50;

export function targetOf({ clientId, app = '' }: ListedApp): AppTarget {
  return clientId === undefined ? { app } : { clientId };
}

export async function decisionView(request: DecisionRequest, decidable: Decidable): Promise<DecisionView> {
  const { apps, schoolRoles, enabled, limits, context, kit, call } = request;
  const { request: requestId } = call.ctx.query;
  const { site } = context;
  const { listed, client, isPairwise = false } = decidable;
  const [roles, fallback, allowed] = await Promise.all([
    schoolRoles(site),
    fallbackOf(request, listed),
    apps.allowedPeople(site, namedApp(targetOf(listed))),
  ]);
  const shown = allowed.slice(0, maxPeople);
  const { decided } = listed;
  const ids = new Set(
    [decided?.by, ...shown.flatMap(({ memberId, by }) => [memberId, by])].filter((id) => id !== undefined),
  );
  const found = await Promise.all([...ids].map(async (id) => [id, await kit.platform.findMember(site, id)] as const));
  const names = new Map(found.map(([id, member]) => [id, member && personName(member)]));
  const nameOf = (id: string | undefined): string | undefined => (id === undefined ? undefined : names.get(id));
  const all = shown.map((each) => ({ ...each, name: nameOf(each.memberId), by: nameOf(each.by) }));
  return {
    ...decidable,
    roles,
    fallback,
    decided: decided && { ...decided, name: nameOf(decided.by) },
    people: { all, total: allowed.length },
    // A service acts for nobody, and what hides people already needs no decision.
    canHide: enabled.hasOption('pseudonyms') && client?.audience !== 'service' && !isPairwise,
    boundaries: limits.declared,
    requestId: typeof requestId === 'string' ? requestId : undefined,
  };
}

async function fallbackOf({ apps, context }: DecisionRequest, { clientId, app }: ListedApp): Promise<AppRule> {
  if (clientId === undefined || app === undefined) return noRule;
  return (await apps.find(context.site, app)).own ?? noRule;
}

/** What applies before the decision. */
export function ruleBefore({ listed, fallback }: DecisionView): AppRule {
  return listed.own ?? fallback;
}

/** Whether connections end with this decision. @param rule - `undefined` for none */
export function losesPeople({ listed, document, fallback }: DecisionView, rule: AppRule | undefined): boolean {
  const hasApproval = document?.status === 'approved' || document?.status === 'changed';
  const { clientId } = listed;
  return takesAway({ rule: listed.own ?? fallback, hasApproval }, { rule, fallback, clientId });
}

export function targetFields(target: AppTarget): Readonly<Record<string, string>> {
  return 'app' in target ? { app: target.app } : { client: target.clientId };
}
