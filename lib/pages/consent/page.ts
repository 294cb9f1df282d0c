import type { ClientInfo } from '../../contracts/client.ts';
import type { Member, Site } from '../../contracts/platform.ts';
import type { Scope } from '../../protocol/scopes.ts';
import { alwaysSees } from '../kit/always-sees.ts';
import { html, type Html } from '../kit/html.ts';
import { memberPage } from '../kit/member-page.ts';
import { monogram } from '../kit/monogram.ts';
import { type PageBuilder, schoolLogo } from '../kit/pages.ts';
import { choosable, permissionRows } from '../kit/permission-rows.ts';
import { shortName, type Translator } from '../kit/translator.ts';
import { facts } from './facts.ts';
import { warning } from './warning.ts';

interface ConsentView {
  readonly site: Site;
  readonly member: Member;
  readonly client: ClientInfo;
  readonly redirectUri: string;
  /** What the person can allow. */
  readonly scopes: readonly Scope[];
  readonly previouslyAllowed: ReadonlySet<string>;
  /** What the person left ticked when they last submitted the form. @default everything */
  readonly ticked?: ReadonlySet<string> | undefined;
  /** Rules of the school, from its consent policies. */
  readonly texts: readonly string[];
  /** Whether a policy denied the request: the person can only go back. */
  readonly denied: boolean;
  /** Whether it is denied because the school has blocked the client. */
  readonly blocked: boolean;
  /** Whether the person submitted the form with nothing ticked. */
  readonly nothingTicked: boolean;
  readonly csrf: string;
  readonly switchAccountUrl: string;
  /** Path of the page of connected apps, if there is one. */
  readonly connectedApps: string | undefined;
  /** Whether tokens read the Member API here. */
  readonly memberApi: boolean;
  /** The client's logo as a `data:` URL. @default its monogram */
  readonly logo?: string | undefined;
}

/** More scopes than this get a wide page, so that most rows fit into one line. */
const narrowScopes = 4;

/** Specification: What the service does 7. */
export function consentPage(view: ConsentView): PageBuilder {
  const { client, site, scopes, denied, nothingTicked, csrf } = view;
  return memberPage(view, {
    title: denied ? 'consent.title.denied' : `consent.title.${client.audience}`,
    values: { client: shortName(client.clientName), school: site.name },
    status: denied ? 403 : nothingTicked ? 400 : 200,
    hasProblems: nothingTicked,
    wide: !denied && choosable(scopes).length > narrowScopes,
    above: parties(view),
    body: (t) => html`
${nothingTicked && html`<div class="problems" role="alert" tabindex="-1" autofocus>${t.html('consent.none')}</div>`}
<form method="post">
<input type="hidden" name="csrf" value="${csrf}">
${facts(t, view)}
${rules(t, view)}
${!denied && permissions(t, view)}
<div class="actions${!denied && html` stay`}">
${!denied && html`<button class="primary" type="submit" name="decision" value="allow">${t.html('consent.allow')}</button>`}
<button type="submit" name="decision" value="deny">${t.html(denied ? 'consent.back' : 'consent.deny')}</button>
</div>
</form>`,
  });
}

/** Who asks, and whose data it is. */
function parties({ client, site, logo }: ConsentView): Html {
  return html`<div class="parties">${monogram(client.clientName, logo)}<span class="towards" aria-hidden="true">→</span>${monogram(site.name, schoolLogo(site)?.href)}</div>`;
}

/** A decision of the school is not a warning. */
function rules(t: Translator, { site, texts, blocked }: ConsentView): Html | false {
  const all = [...(blocked ? [t.html('consent.blocked', { school: site.name })] : []), ...texts];
  if (all.length === 0) return false;
  return html`<section class="rules" aria-labelledby="rules">
<h2 id="rules">${t.html('consent.rules', { school: site.name })}</h2>
${all.map((text) => html`<p>${text}</p>`)}
</section>`;
}

function permissions(t: Translator, view: ConsentView): Html {
  const { site, scopes, memberApi, previouslyAllowed, ticked, connectedApps } = view;
  const isNew = (scope: Scope): boolean => previouslyAllowed.size > 0 && !previouslyAllowed.has(scope);
  const page = connectedApps !== undefined && html`<a href="${connectedApps}">${t.html('connected.title')}</a>`;
  return html`<input type="hidden" name="choice" value="shown">
${warning(t, view)}
${alwaysSees(t, { scopes, memberApi, school: site.name })}
${
  choosable(scopes).length > 0 &&
  html`<fieldset class="scopes">
<legend><h2>${t.html('consent.asks')}</h2></legend>
<p class="soft">${t.html('consent.choose')}</p>
${permissionRows(t, scopes, { ticked: (scope) => ticked?.has(scope) ?? true, isNew })}
</fieldset>`
}
${page && html`<p class="soft">${t.html('consent.later', { page })}</p>`}`;
}
