import type { SchoolRoles } from '../../../core/access/school-roles.ts';
import { peoplePath, requestsPath, targetPath } from '../../../pages/kit/console.ts';
import { factList } from '../../../pages/kit/facts.ts';
import { icon } from '../../../pages/kit/icons.ts';
import { claimedMark, html, type Html, isolated, shortName, type Translator } from '../../../pages/kit/markup.ts';
import { hiddenFields } from '../../../pages/kit/member-page.ts';
import { notice } from '../../../pages/kit/notice.ts';
import { choosable, scopeList } from '../../../pages/kit/permissions.ts';
import { personValues } from '../../../pages/kit/person.ts';
import { roleName } from '../../../pages/kit/role-name.ts';
import { stateMark } from '../../../pages/kit/status.ts';
import { type Asker, type AskingGroup, isReady, maxNamed, roleOf } from './asking-group.ts';
import { monogram } from '../../../pages/kit/tile.ts';
import { isOfApp, requestTile } from './decided-requests.ts';
import type { ApplicationPageRequest } from './page-request.ts';

/** People who ask for one app, as the page has them. */
interface ShownGroup extends AskingGroup {
  /** Whether the app has changed since it was approved. */
  readonly isChanged: boolean;
}

/** One app that people ask for, with the people, their reasons, what the app would get, and one answer for all of them. */
export function groupCard(t: Translator, request: ApplicationPageRequest, group: ShownGroup, roles: SchoolRoles): Html {
  const { latest, key, isChanged } = group;
  const client = shortName(latest.clientName);
  return html`<li aria-labelledby="group-${key}">
<div class="app top">${groupTile(group)}<div><h2 id="group-${key}">${isolated(client)}${isChanged && html` ${stateMark('needs_approval', t.html('review.status.changed'))}`}</h2>
${summary(t, request, group, roles)}
${permissions(t, group)}
${reasons(t, request, group, roles)}
${technical(t, group)}</div></div>
${answerForm(t, request, group, roles)}
</li>`;
}

/** What is verified although it is no known app has its initial. */
function groupTile({ latest, isClaimed }: AskingGroup): Html {
  return isClaimed || isOfApp(latest) ? requestTile(latest) : monogram(latest.clientName);
}

/** How many ask and who they are, since when, and what is known of the app. */
function summary(t: Translator, page: ApplicationPageRequest, group: AskingGroup, roles: SchoolRoles): Html {
  const { requests, askers, latest, isClaimed } = group;
  const times = requests.map(({ at }) => at);
  const since = Math.min(...times);
  const hosts = [...new Set(latest.redirectUris.map((uri) => URL.parse(uri)?.host ?? uri))].map(shortName);
  const [only] = requests.length === 1 ? askers : [];
  const who = only ? askerName(t, page, only, roles) : t.html('asked.people', { count: requests.length });
  const counts = [...(only ? [] : (group.roles ?? []))].map(([role, count]) =>
    t.text('pair', { name: roleName(roles, role), value: `${count}` }),
  );
  const list = new Intl.ListFormat(t.language, { type: 'unit' }).format(counts);
  return html`<p class="soft">${who}${counts.length > 0 && html` · ${isolated(list)}`} · ${requests.length > 1 ? t.html('asked.first', { date: t.nearDate(since) }) : t.nearDate(since)}${hosts.length > 0 && html` · ${t.html('asked.sends', { host: hosts.join(', ') })}`}${isClaimed && claimedMark(t)}</p>`;
}

/** With the way to the page of the person. */
function askerName(
  t: Translator,
  { connectionsPath }: ApplicationPageRequest,
  { request, member }: Asker,
  roles: SchoolRoles,
): Html {
  if (!member) return isolated(shortName(request.memberId));
  const { name, email } = personValues(member);
  const role = roleOf(member);
  const shown =
    connectionsPath === undefined
      ? isolated(name)
      : html`<a class="name" href="${peoplePath(connectionsPath, member.id)}">${isolated(name)}</a>`;
  const named = role === '' ? shown : t.html('asked.person', { name: shown, role: roleName(roles, role) });
  return html`${named}${email !== undefined && html` · ${isolated(email)}`}`;
}

/** So many permissions are seen at a glance. */
const maxShown = 5;

/** What it would get; what it changes first. */
function permissions(t: Translator, { scopes }: AskingGroup): Html | false {
  const chosen = choosable(t.catalogue.all.filter((scope) => scopes.includes(scope)));
  if (chosen.length === 0) return html`<p class="soft">${t.html('connected.row.identity')}</p>`;
  if (chosen.length <= maxShown) return scopeList(t, chosen);
  const writes = t.catalogue.rows.filter(({ scope, access }) => access === 'write' && chosen.includes(scope));
  const ordered = [...new Set([...writes.map(({ scope }) => scope), ...chosen])];
  const more = ordered.slice(maxShown);
  return html`${scopeList(t, ordered.slice(0, maxShown))}<details><summary>${t.html('asked.scopes.more', { count: more.length })}</summary>${scopeList(t, more)}</details>`;
}

/** Who asks, and why. One reason needs no list. */
function reasons(
  t: Translator,
  page: ApplicationPageRequest,
  { requests, askers, key }: AskingGroup,
  roles: SchoolRoles,
): Html | false {
  const [only] = requests;
  if (requests.length === 1)
    return only !== undefined && only.note !== '' && html`<p>${t.html('asked.note', { note: only.note })}</p>`;
  const all = html`<a href="${requestsPath(page.path)}?group=${key}">${t.html('asked.all', { count: requests.length })}</a>`;
  return html`<details><summary>${t.html('asked.who')}</summary>${askerList(t, page, askers, roles)}${requests.length > maxNamed && html`<p>${all}</p>`}</details>`;
}

export function askerList(
  t: Translator,
  page: ApplicationPageRequest,
  askers: readonly Asker[],
  roles: SchoolRoles,
): Html {
  return html`<ul class="events">${askers.map((asker) => html`<li>${icon('person')}<p>${askerName(t, page, asker, roles)}${asker.request.note !== '' && html`<br><span class="soft">${t.html('asked.note', { note: asker.request.note })}</span>`}</p></li>`)}</ul>`;
}

/** Whole addresses. */
function technical(t: Translator, { latest: { redirectUris } }: AskingGroup): Html | false {
  const uris = redirectUris.map((uri) => html`<code dir="ltr">${uri}</code> `);
  return (
    uris.length > 0 &&
    html`<details><summary>${t.html('error.details')}</summary>${factList([[t.html('form.redirectUris'), uris]])}</details>`
  );
}

/** For whom an administrator can approve an app. */
export type ApprovedFor = 'everyone' | 'roles' | 'role' | 'people' | 'view';

interface ApprovalChoice {
  readonly value: string;
  readonly text: Html;
  /** What else it does. @default nothing */
  readonly hint?: Html | false;
  /** How many of those who ask that is. @default all of them */
  readonly share?: Html;
}

function answerForm(t: Translator, request: ApplicationPageRequest, group: AskingGroup, roles: SchoolRoles): Html {
  const { path, context, connectionsPath } = request;
  const { wanted, key, version, latest } = group;
  const client = shortName(latest.clientName);
  const choices = wanted ? choicesOf(t, group, roles) : [];
  const preferred = wanted && preferredOf(group, wanted.client.rule.ask === true);
  const chosen = choices.find(({ value }) => value === preferred) ?? choices[0];
  const canApprove = wanted ? choices.length > 0 : isReady(group);
  const fields = {
    id: key,
    shown: version,
    decision: wanted?.client.version ?? '',
    role: [...(group.roles?.keys() ?? [])],
  };
  const decline = html`<a class="button danger" href="${requestsPath(path)}?decline=${key}" aria-label="${t.text('asked.decline.one', { client })}">${t.html('asked.decline')}</a>`;
  return html`<form method="post" action="${requestsPath(path)}">${hiddenFields(context, { ...fields, action: wanted ? 'approve' : 'create' })}
${platformNotice(t, group)}
${
  choices.length > 0 &&
  html`<fieldset><legend>${t.html('asked.for')}</legend>${choices.map(
    (choice) =>
      html`<label class="row"><input type="radio" name="for" value="${choice.value}"${choice === chosen && html` checked`}><span>${choice.text}${choice.hint && html` <span class="hint">${choice.hint}</span>`}</span>${choice.share && html`<span class="soft">${choice.share}</span>`}</label>`,
  )}</fieldset>`
}
${!wanted && canApprove && html`<p class="hint" id="create-${key}">${t.html('asked.approve.hint')}</p>`}
<div class="actions">${canApprove && html`<button class="primary" type="submit" aria-label="${t.text('asked.approve.one', { client })}"${!wanted && html` aria-describedby="create-${key}"`}>${t.html('asked.approve')}</button>`}${!canApprove && byHand(t, request, group)}${decline}</div>
${canApprove && html`<p>${wanted ? connectionsPath !== undefined && html`<a href="${targetPath(connectionsPath, wanted.decides)}&amp;request=${latest.id}" aria-label="${t.text('asked.open.one', { client })}">${t.html('asked.open')}</a>` : html`<a href="${path}/new?audience=member&request=${latest.id}" aria-label="${t.text('asked.grant.one', { client })}">${t.html('asked.grant')}</a>`}</p>`}
</form>`;
}

/** Where an administrator decides if no press can. */
function byHand(
  t: Translator,
  { path, connectionsPath }: ApplicationPageRequest,
  { wanted, latest }: AskingGroup,
): Html | false {
  const client = shortName(latest.clientName);
  if (!wanted)
    return html`<a class="button primary" href="${path}/new?audience=member&request=${latest.id}" aria-label="${t.text('asked.grant.one', { client })}">${t.html('asked.grant')}</a>`;
  return (
    connectionsPath !== undefined &&
    html`<a class="button" href="${targetPath(connectionsPath, wanted.decides)}&amp;request=${latest.id}" aria-label="${t.text('asked.open.one', { client })}">${t.html('asked.open')}</a>`
  );
}

function choicesOf(t: Translator, group: AskingGroup, roles: SchoolRoles): readonly ApprovalChoice[] {
  const { wanted, askers, requests } = group;
  const counts = [...(group.roles ?? [])];
  const total = requests.length;
  const [first] = askers;
  const named = (some: readonly string[]): string =>
    new Intl.ListFormat(t.language).format(some.map((role) => roleName(roles, role)));
  const all: ApprovalChoice =
    counts.length > 0
      ? {
          value: 'roles',
          text: t.html('asked.for.roles', { count: counts.length, roles: named(counts.map(([role]) => role)) }),
        }
      : { value: 'everyone', text: t.html('asked.for.everyone') };
  const some = counts.slice(1).map(([role, count]) => ({
    value: `role ${role}`,
    text: t.html('asked.for.role', { role: roleName(roles, role) }),
    share: t.html('asked.of', { count, total }),
  }));
  const isBlocked = wanted?.client.status === 'blocked';
  const people: ApprovalChoice = {
    value: 'people',
    text:
      total === 1 && first?.member
        ? t.html('asked.one', { name: personValues(first.member).name })
        : t.html('asked.for.people', { count: total }),
    hint: isBlocked && t.html('asked.one.blocked'),
  };
  const view: ApprovalChoice = { value: 'view', text: t.html('asked.view') };
  return [...(wanted?.forEveryone === true ? [all, ...some, view] : []), ...(wanted?.forOne === true ? [people] : [])];
}

/** Where the school decides on each person, that comes first; what nobody can check should only view. */
function preferredOf({ isClaimed }: AskingGroup, asksEach: boolean): string {
  if (asksEach) return 'people';
  return isClaimed ? 'view' : 'roles';
}

/** Who can change what no decision of the school does. */
function platformNotice(t: Translator, { wanted, askers, latest }: AskingGroup): Html | false {
  if (!wanted) return false;
  const [asker] = askers;
  const name = asker?.member ? personValues(asker.member).name : '';
  if (wanted.isRefused) return notice('warn', t.html('asked.platform', { client: shortName(latest.clientName), name }));
  return wanted.client.from === 'platform' && notice('plain', t.html('rule.platform'));
}
