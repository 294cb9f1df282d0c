import type { ConnectRequests, AppRequests } from '../../../core/applications/request.ts';
import type { ListedApp } from '../../../core/apps/apps.ts';
import { namedApp } from '../../../core/apps/named-app.ts';
import type { AppRule } from '../../../core/access/rule.ts';
import { OAuthError } from '../../../kernel/errors.ts';
import { wrongRole } from '../../../core/access/school-roles.ts';
import type { OfPlatform } from '../../../core/access/look-ups.ts';
import { field, type Form } from '../../../http/body.ts';
import { shownIn } from '../../../pages/kit/conflict.ts';
import type { TextKey } from '../../../i18n/texts.ts';
import { messagePage } from '../../../pages/kit/error-page.ts';
import { targetPath } from '../../../pages/kit/console.ts';
import { shortName } from '../../../pages/kit/markup.ts';
import { confirmPage } from '../../../pages/kit/member-page.ts';
import type { PageResult } from '../../../pages/kit/page-access.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import type { Site } from '../../../host/school-platform.ts';
import { decisionFields, decisionIn, losesPeople, maxNote } from './decision-form.ts';
import { type Decidable, type DecisionOptions, type DecisionRequest, decisionView, targetOf } from './decision-view.ts';
import type { AppManager } from '../domain/apps.ts';

export interface DecideOptions extends DecisionOptions {
  readonly decide: AppManager['decide'];
  readonly ofPlatform: OfPlatform;
  readonly requests: AppRequests & ConnectRequests;
}

type DecideRequest = DecideOptions & DecisionRequest;

/**
 * Makes or removes the decision of the school, after a confirmation where people lose something.
 *
 * @throws VersionConflict if the version was changed since the form was shown, or somebody else has decided since
 */
export async function decide(request: DecideRequest, form: Form, decidable: Decidable): Promise<PageResult> {
  const { apps, context } = request;
  const { site, path } = context;
  const view = await decisionView(request, decidable);
  const { listed, document, roles } = view;
  const { people, clientName } = listed;
  const target = targetOf(listed);
  const app = namedApp(target);
  const page = targetPath(path, target);
  const decision = decisionIn(form, view);
  const { choice, rule, note, hasNobody } = decision;
  if (choice === undefined) return page;
  const refused = (title: TextKey, text: TextKey, role = ''): PageBuilder => {
    const values = { role: shortName(role), school: site.name, count: maxNote };
    return messagePage({ title, texts: [text], values, status: 400, action: { text: 'rule.role.again', href: page } });
  };
  // The school has lost the role since the form was shown.
  const wrong = rule?.roles && wrongRole(roles, rule, listed.own ?? view.fallback);
  if (wrong !== undefined) return refused('rule.role.title', 'rule.role', wrong);
  if (rule && hasNobody) return refused('rule.nobody.title', 'rule.nobody');
  if (note !== undefined && note.length > maxNote) return refused('rule.note.title', 'rule.note.long');
  if (people > 0 && losesPeople(view, rule) && field(form, 'confirmed') !== 'yes') {
    const values = { client: shortName(clientName), count: people };
    const fields = decisionFields(target, decision, form);
    return confirmPage(context, 'rule.confirm', { values, button: 'rule.save', action: 'rule', fields, page });
  }
  const seen = { by: context.member.id, ...shownIn(form) };
  if (!rule) await apps.reset(site, app, seen);
  else {
    const scopes = document && rule.access === 'allowed' ? await approvableOf(request, document.clientId) : undefined;
    if (scopes?.length === 0) return approvalDeniedPage(site, path);
    await request.decide(site, app, rule, { ...seen, note, scopes });
  }
  if (rule) await answer(request, field(form, 'request'), listed, rule);
  return `${page}&done=${rule ? 'rule' : 'norule'}`;
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
export function approvalDeniedPage({ name: school }: Site, path: string): PageBuilder {
  const values = { school };
  const action = { text: 'apps.back', href: path } as const;
  return messagePage({ title: 'review.denied.title', texts: ['review.denied'], values, status: 403, action });
}
