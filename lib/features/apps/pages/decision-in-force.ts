import type { AppStatus } from '../../../core/clients/client-status.ts';
import { unknownRoles } from '../../../core/access/school-roles.ts';
import type { TextKey } from '../../../i18n/texts.ts';
import { demandLine } from '../../../pages/kit/limits.ts';
import { targetPath } from '../../../pages/kit/console.ts';
import { html, type Html, isolated, shortName, type Translator } from '../../../pages/kit/markup.ts';
import type { MemberPageContext } from '../../../pages/kit/member-page.ts';
import { notice } from '../../../pages/kit/notice.ts';
import { roleName } from '../../../pages/kit/role-name.ts';
import type { DecisionView } from './decision-view.ts';

/** What applies now, in words. */
export function inForce(
  t: Translator,
  { path, site }: MemberPageContext,
  view: DecisionView,
  isService: boolean,
): Html {
  const { listed, roles: known, boundaries } = view;
  const { rule, app, clientId, own, status } = listed;
  const { roles, scopes, limited = [] } = rule;
  const ofApp = !own && app !== undefined && clientId !== undefined;
  const gone = unknownRoles(known, roles ?? []).map(shortName);
  const alsoViews = status === 'needs_approval' && onlyViews(view);
  return html`<p>${t.html(inForceText(status, { isService, isClient: clientId !== undefined }))}${ofApp && html` <a href="${targetPath(path, { app })}">${t.html('rule.app')}</a>`}</p>
${alsoViews && html`<p>${t.html('rule.now.views')}</p>`}
${roles && html`<p>${t.html('rule.now.roles', { roles: roles.map((role) => roleName(known, role)).join(', ') })}</p>`}
${gone.length > 0 && notice('warn', t.html('rule.now.gone', { school: site.name, roles: gone.join(', ') }))}
${listed.from === 'platform' && notice('plain', t.html('rule.platform'))}
${hidesPeople(view) && html`<p>${t.html('rule.now.pseudonym')}</p>`}
${demandLine(t, boundaries, limited)}
${scopes && html`<p>${t.html('rule.now.scopes')}</p>`}`;
}

interface Kind {
  readonly isService: boolean;
  readonly isClient: boolean;
}

/** Nobody connects a service, and only among the clients of an app can be some that wait for an approval. */
function inForceText(status: AppStatus, { isService, isClient }: Kind): TextKey {
  if (isService) return status === 'blocked' ? 'rule.now.service.blocked' : 'rule.now.service';
  return status === 'allowed' && isClient ? 'rule.now.allowed.client' : `rule.now.${status}`;
}

/** Whether it knows people by pseudonyms now. */
export function hidesPeople({ listed: { rule }, isPairwise = false }: DecisionView): boolean {
  return isPairwise || rule.pseudonym === true;
}

/** Whether it changes nothing, also for people who are allowed one by one. */
export function onlyViews({ listed: { rule, status }, document }: DecisionView): boolean {
  return status === 'view_only' || (rule.access === 'view_only' && document?.status !== 'approved');
}

/** By whom it was decided, when and why. */
export function decidedLine(t: Translator, { decided }: DecisionView): Html | false {
  if (!decided) return false;
  const { name, at, note } = decided;
  const date = t.nearDate(at);
  const who =
    name === undefined ? t.html('rule.decided', { date }) : t.html('rule.decided.by', { name: shortName(name), date });
  return html`<p>${who}${note !== undefined && html`<br>${t.html('pair', { name: t.html('rule.note.given'), value: isolated(note.replaceAll('\n', ' ')) })}`}</p>`;
}
