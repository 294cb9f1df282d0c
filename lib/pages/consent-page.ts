import type { ClientInfo } from '../contracts/client.ts';
import type { Member, Site } from '../contracts/platform.ts';
import { isLoopbackRedirect, redirectHost } from '../protocol/redirect-uri.ts';
import type { Scope } from '../protocol/scopes.ts';
import { html, type Html } from './kit/html.ts';
import { memberPage } from './kit/member-page.ts';
import type { PageBuilder } from './kit/pages.ts';
import { scopeChoice } from './kit/scope-lists.ts';
import { isolated, shortName, type Translator } from './kit/translator.ts';

interface ConsentView {
  readonly site: Site;
  readonly member: Member;
  readonly client: ClientInfo;
  readonly redirectUri: string;
  readonly scopes: readonly Scope[];
  readonly previouslyAllowed: ReadonlySet<string>;
  readonly texts: readonly string[];
  /** Whether a policy denied the request: the person can only go back. */
  readonly denied: boolean;
  /** Whether it is denied because the school has blocked the client. */
  readonly blocked: boolean;
  readonly nothingTicked: boolean;
  readonly csrf: string;
  readonly switchAccountUrl: string;
  readonly connectedApps: boolean;
}

/** Specification: What the service does 7. */
export function consentPage(view: ConsentView): PageBuilder {
  const { client, site, texts, denied, blocked, nothingTicked, csrf } = view;
  return memberPage(view, {
    title: denied ? 'consent.title.denied' : `consent.title.${client.audience}`,
    values: { client: shortName(client.clientName), school: site.name },
    status: denied ? 403 : nothingTicked ? 400 : 200,
    body: (t) => html`
${nothingTicked && html`<div class="problems" role="alert" tabindex="-1" autofocus>${t.text('consent.none')}</div>`}
<dl>
${rows(t, view).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}
</dl>
${blocked && html`<p class="notice">${t.html('consent.blocked', { school: site.name })}</p>`}
${warnings(t, view).map((text) => html`<p class="notice">${text}</p>`)}
${texts.map((text) => html`<p class="notice">${text}</p>`)}
<form method="post">
<input type="hidden" name="csrf" value="${csrf}">
${!denied && permissions(t, view)}
<div class="actions">
${!denied && html`<button class="primary" type="submit" name="decision" value="allow">${t.text('consent.allow')}</button>`}
<button type="submit" name="decision" value="deny">${t.text(denied ? 'consent.back' : 'consent.deny')}</button>
</div>
</form>`,
  });
}

function permissions(t: Translator, { scopes, previouslyAllowed, connectedApps }: ConsentView): Html {
  return html`<input type="hidden" name="choice" value="shown">
<p>${t.text('consent.will')} <span class="soft">${t.text('consent.choose')}</span></p>
${scopeChoice(t, scopes, previouslyAllowed)}
<p class="soft">${t.text('consent.own')}</p>
${connectedApps && html`<p class="soft">${t.text('consent.later')}</p>`}`;
}

type Row = readonly [name: string, value: Html];

function rows(t: Translator, { client, site, redirectUri }: ConsentView): Row[] {
  const name = isolated(shortName(client.clientName));
  const claimed = client.source === 'registered' || client.source === 'document';
  return [
    [
      t.text('consent.application'),
      claimed ? html`${name} <span class="badge warn">${t.text('consent.claimed')}</span>` : name,
    ],
    ...originRows(t, client, site),
    [t.text('consent.redirect'), destination(t, redirectUri)],
  ];
}

/** Only what is verified: a self-registered client's own statements are not. */
function originRows(t: Translator, client: ClientInfo, site: Site): Row[] {
  const { source, clientId, clientUri } = client;
  if (source === 'document') {
    const checked = html`<span class="badge good">${t.text('consent.publisher.checked')}</span>`;
    return [[t.text('consent.publisher'), html`${isolated(hostOf(clientId))} ${checked}`]];
  }
  if (source === 'registered') return [];
  const website: Row[] = clientUri === undefined ? [] : [[t.text('consent.website'), isolated(hostOf(clientUri))]];
  if (source === 'static') return website;
  return [...website, [t.text('consent.origin'), t.html('consent.origin.school', { school: site.name })]];
}

function destination(t: Translator, redirectUri: string): Html {
  const host = redirectHost(redirectUri);
  if (isLoopbackRedirect(redirectUri, { localhost: true })) return t.html('consent.redirect.local', { host });
  return redirectUri.startsWith('https:') ? isolated(host) : t.html('consent.redirect.app', { host });
}

function warnings(t: Translator, { client, site, redirectUri }: ConsentView): Html[] {
  const { source, clientId, confidential, reviewed } = client;
  const local = isLoopbackRedirect(redirectUri, { localhost: true });
  // RFC 8252 section 8.6: only an https: address belongs to someone.
  const impersonable = !confidential && !redirectUri.startsWith('https:');
  return [
    ...(impersonable ? [t.html(local ? 'consent.warn.local' : 'consent.warn.app')] : []),
    ...(source === 'registered' ? [t.html('consent.warn.claimed', { school: site.name })] : []),
    ...(source === 'document' && !reviewed
      ? [t.html('consent.warn.unreviewed', { school: site.name, host: hostOf(clientId) })]
      : []),
  ];
}

function hostOf(address: string): string {
  return URL.parse(address)?.host ?? address;
}
