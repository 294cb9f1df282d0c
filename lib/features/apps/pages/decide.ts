import type { ConnectRequests, AppRequests } from '../../../core/applications/request.ts';
import type { DecisionEffect, ListedApp } from '../../../core/apps/apps.ts';
import { namedApp } from '../../../core/apps/named-app.ts';
import type { AppRule } from '../../../core/access/rule.ts';
import { OAuthError } from '../../../kernel/errors.ts';
import type { VersionConflict } from '../../../core/clients/expected-version.ts';
import { wrongRole } from '../../../core/access/school-roles.ts';
import type { OfPlatform } from '../../../core/access/look-ups.ts';
import { field, type Form } from '../../../http/body.ts';
import { shownIn } from '../../../pages/kit/conflict.ts';
import { noticeQuery } from '../../../pages/kit/csrf-tokens.ts';
import { memberMessage } from '../../../pages/kit/error-page.ts';
import { targetPath } from '../../../pages/kit/console.ts';
import type { MemberPageContext } from '../../../pages/kit/member-page.ts';
import type { PageResult } from '../../../pages/kit/page-access.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import { confirmDecision, losesEveryone } from './confirm-decision.ts';
import { decisionFields, decisionIn, type FormDecision, maxNote } from './entered-decision.ts';
import {
  type Decidable,
  type DecisionAttempt,
  type DecisionOptions,
  type DecisionProblem,
  type DecisionRequest,
  type DecisionView,
  decisionView,
  targetOf,
  losesPeople,
} from './decision-view.ts';
import type { AppManager } from '../domain/apps.ts';

export interface DecideOptions extends DecisionOptions {
  readonly decide: AppManager['decide'];
  readonly reachOf: AppManager['reachOf'];
  readonly ofPlatform: OfPlatform;
  readonly requests: AppRequests & ConnectRequests;
}

type DecideRequest = DecideOptions & DecisionRequest;

/**
 * Makes or removes the decision of the school, after a confirmation where people lose something.
 *
 * @throws VersionConflict if the version was changed since the form was shown, or somebody else has decided since
 */
export async function decide(
  request: DecideRequest,
  form: Form,
  decidable: Decidable,
  showAgain: (attempt: DecisionAttempt) => Promise<PageResult>,
): Promise<PageResult> {
  const { apps, context } = request;
  const { site, path } = context;
  const view = await decisionView(request, decidable);
  const { listed, document } = view;
  const target = targetOf(listed);
  const app = namedApp(target);
  const page = targetPath(path, target);
  const decision = decisionIn(form, view);
  const { choice, rule, note } = decision;
  if (choice === undefined) return page;
  const problem = rule && problemIn(view, decision);
  if (problem) {
    const entered = { rule: { ...rule, roles: decision.named }, note, version: field(form, 'version') };
    return showAgain({ ...entered, problem });
  }
  if (listed.people > 0 && losesPeople(view, rule) && field(form, 'confirmed') !== 'yes') {
    const asked = { rule: rule ?? view.fallback, roles: view.roles.roles.map(({ role }) => role) };
    const reached = losesEveryone(view, rule) ? undefined : await request.reachOf(site, target, asked);
    return confirmDecision(context, view, { rule, reached, fields: decisionFields(target, decision, form) });
  }
  const seen = { by: context.member.id, ...shownIn(form) };
  let effect: DecisionEffect;
  if (!rule) effect = await apps.reset(site, app, seen);
  else {
    const scopes = document && rule.access === 'allowed' ? await approvableOf(request, document.clientId) : undefined;
    if (scopes?.length === 0) return approvalDeniedPage(context);
    effect = await request.decide(site, app, rule, { ...seen, note, scopes });
  }
  if (rule) await answer(request, field(form, 'request'), listed, rule);
  const { ended, atRefresh } = effect;
  const counts = { ended: String(ended), later: String(atRefresh) };
  const query = ended + atRefresh > 0 ? `&${new URLSearchParams(noticeQuery(request, counts)).toString()}` : '';
  return `${page}&done=${rule ? 'rule' : 'norule'}${query}`;
}

/** What is wrong with what was entered. The school can have lost a role since the form was shown. */
function problemIn(
  { roles, listed, fallback }: DecisionView,
  { rule, note = '', hasNobody }: FormDecision,
): DecisionProblem | undefined {
  const wrong = rule?.roles && wrongRole(roles, rule, listed.own ?? fallback);
  if (wrong !== undefined) return { field: 'roles', text: 'rule.role.problem', role: wrong };
  if (hasNobody) return { field: 'roles', text: 'rule.nobody' };
  return note.length > maxNote ? { field: 'note', text: 'rule.note.problem' } : undefined;
}

/** Grants the request that led to the page, if the person can connect it now. */
async function answer(
  { requests, kit, context }: DecideRequest,
  id: string | undefined,
  { clientId, app }: ListedApp,
  { access, ask, roles }: AppRule,
): Promise<void> {
  if (id === undefined || ask || access === 'blocked') return;
  const asked = await requests.find(context.site, id);
  const isOfThis = clientId === undefined ? asked?.app === app : asked?.connects === clientId;
  if (asked?.status !== 'open' || asked.connects === undefined || !isOfThis) return;
  const member = await kit.platform.findMember(context.site, asked.memberId);
  if (roles && !member?.roles.some((role) => roles.includes(role))) return;
  await requests.allow(context.site, id, { version: asked.version, by: context.member.id }).catch((error: unknown) => {
    if (!(error instanceof OAuthError && (error.status === 404 || error.status === 409))) throw error;
  });
}

/** The scopes that this administrator can approve a version for. */
async function approvableOf({ ofPlatform, context }: DecideRequest, clientId: string) {
  const { site, member } = context;
  const approvable = await ofPlatform({ site, member, clientId, approving: true });
  return approvable?.taken.length === 0 ? undefined : approvable?.scopes;
}

/** What was entered before something else changed: what was chosen for a version of an app is not chosen for another one. */
export async function overtakenAttempt(
  request: DecisionRequest,
  form: Form,
  decidable: Decidable,
  { difference }: VersionConflict,
): Promise<DecisionAttempt> {
  const { rule, note } = decisionIn(form, await decisionView(request, decidable));
  return { note, rule: difference === 'decision' ? rule : undefined };
}

/** Takes back the decision on one person. */
export async function resetPerson(
  { apps, context }: DecisionRequest,
  form: Form,
  { listed }: Decidable,
): Promise<PageResult> {
  const decided = { by: context.member.id, ...shownIn(form) };
  await apps.resetPerson(context.site, namedApp(targetOf(listed)), field(form, 'member') ?? '', decided);
  return `${targetPath(context.path, targetOf(listed))}&done=person`;
}

/** A policy says that an approval by this person does not count. */
export function approvalDeniedPage(context: MemberPageContext): PageBuilder {
  const values = { school: context.site.name };
  const action = { text: 'apps.back', href: context.path } as const;
  return memberMessage(context, {
    title: 'review.denied.title',
    texts: ['review.denied'],
    values,
    status: 403,
    action,
  });
}
