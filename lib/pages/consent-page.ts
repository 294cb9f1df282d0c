import type { Refusal } from '../clients/allowance.ts';
import { personAudience } from '../clients/metadata.ts';
import type { ClientInfo } from '../contracts/client.ts';
import type { Member, Site } from '../contracts/platform.ts';
import { isLoopbackRedirect, redirectHost } from '../protocol/redirect-uri.ts';
import { type ChoiceView, choice, decisions, onlyViews, summary } from './consent-choice.ts';
import { fact, html, type Html, isolated, shortName, type Translator } from './kit/markup.ts';
import { copyMark } from './kit/copy-mark.ts';
import { memberPage, monogram } from './kit/member-page.ts';
import { type PageBuilder, schoolLogo } from './kit/pages.ts';
import { needsWidth } from './kit/permissions.ts';

interface ConsentView extends ChoiceView {
  readonly member: Member;
  readonly redirectUri: string;
  /** Rules of the school, from its consent policies. */
  readonly texts: readonly string[];
  /** Whether a policy denied the request: the person can only go back. */
  readonly denied: boolean;
  /** Why it is denied, if that is a rule of the school for the client. */
  readonly refusal: Refusal | undefined;
  /** Why what was posted decides nothing. @default it does, or nothing was posted */
  readonly problem?: 'consent.none' | 'consent.approve.none' | undefined;
  /** What has changed since the form was shown that cannot be accepted. @default nothing */
  readonly stale?: 'version' | 'decision' | 'logo' | 'scopes' | undefined;
  /** What the form decides on, for the comparison when it is posted. */
  readonly shown: string;
  readonly csrf: string;
  readonly switchAccountUrl: string;
  /** The client's logo as a `data:` URL. @default its monogram */
  readonly logo?: string | undefined;
}

/** Specification: What the service does 7. */
export function consentPage(view: ConsentView): PageBuilder {
  const { client, site, scopes, beyond, denied, problem, stale, shown, csrf } = view;
  const alert = stale ? (`review.stale.${stale}` as const) : problem;
  return memberPage(view, {
    title: denied ? 'consent.title.denied' : `consent.title.${personAudience(client.audience)}`,
    values: { client: shortName(client.clientName), school: site.name },
    status: stale ? 409 : denied ? 403 : problem ? 400 : 200,
    hasProblems: alert !== undefined,
    wide: !denied && (needsWidth(scopes) || needsWidth(beyond)),
    above: parties(view),
    body: (t) => html`
${alert && html`<div class="problems" role="alert" tabindex="-1" autofocus>${t.html(alert)}</div>`}
${!denied && summary(t, view)}
<form method="post">
<input type="hidden" name="csrf" value="${csrf}">
<input type="hidden" name="shown" value="${shown}">
${facts(t, view)}
${rules(t, view)}
${!denied && warning(t, view)}
${denied ? html`<div class="actions"><button type="submit" name="decision" value="deny">${t.html('consent.back')}</button></div>` : html`<div class="decide">${choice(t, view)}${decisions(t, view)}</div>`}
</form>`,
  });
}

/** Who asks, and whose data it is. */
function parties({ client, site, logo }: ConsentView): Html {
  return html`<div class="parties">${monogram(client.clientName, logo)}<span class="towards" aria-hidden="true">→</span>${monogram(site.name, schoolLogo(site)?.href)}</div>`;
}

type Row = readonly [name: Html, value: Html];

/** Who the client is, and where it sends the person. */
function facts(t: Translator, { client, site, redirectUri }: ConsentView): Html {
  const name = isolated(shortName(client.clientName));
  const claimed = client.source === 'registered' || client.source === 'document';
  const unverified = html`${name} <span class="badge warn">${t.html('consent.claimed')}</span>`;
  const rows: Row[] = [
    // The heading has the name of the others.
    ...(claimed ? [[t.html('consent.application'), unverified] as const] : []),
    ...originRows(t, client, site),
    [t.html('consent.redirect'), destination(t, redirectUri)],
  ];
  return html`<dl class="facts">
${rows.map(([term, value]) => fact(term, value))}
</dl>`;
}

/** Only what is verified: a self-registered client's own statements are not. */
function originRows(t: Translator, { source, clientId, clientUri, copyDate }: ClientInfo, site: Site): Row[] {
  if (source === 'document') {
    const checked = html`<span class="badge good">${t.html('consent.publisher.checked')}</span>`;
    const mark = copyDate === undefined ? checked : copyMark(t, copyDate);
    return [[t.html('consent.publisher'), html`${isolated(hostOf(clientId))} ${mark}`]];
  }
  if (source === 'registered') return [];
  const website: Row[] = clientUri === undefined ? [] : [[t.html('consent.website'), isolated(hostOf(clientUri))]];
  if (source === 'static') return website;
  return [...website, [t.html('consent.origin'), t.html('consent.origin.school', { school: site.name })]];
}

function destination(t: Translator, redirectUri: string): Html {
  const host = redirectHost(redirectUri);
  if (isLoopbackRedirect(redirectUri, { localhost: true })) return t.html('consent.redirect.local', { host });
  return redirectUri.startsWith('https:') ? isolated(host) : t.html('consent.redirect.app', { host });
}

function hostOf(address: string): string {
  return URL.parse(address)?.host ?? address;
}

/** A decision of the school is not a warning. */
function rules(t: Translator, { site, texts, refusal }: ConsentView): Html | false {
  const key = refusal === 'client_role' ? 'consent.role' : 'consent.blocked';
  const all = [...(refusal ? [t.html(key, { school: site.name })] : []), ...texts];
  if (all.length === 0) return false;
  return html`<section class="rules" aria-labelledby="rules">
<h2 id="rules">${t.html('consent.rules', { school: site.name })}</h2>
${all.map((text) => html`<p>${text}</p>`)}
</section>`;
}

/** One box; its first line, the most important, is its heading. */
function warning(t: Translator, view: ConsentView): Html | false {
  const [first, ...others] = [...impersonation(t, view), ...unknownOrigin(t, view)];
  if (!first) return false;
  return html`<div class="notice" role="region" aria-labelledby="warning"><h2 id="warning">${first}</h2>${others.map((line) => html`<p>${line}</p>`)}</div>`;
}

function impersonation(t: Translator, { client, redirectUri }: ConsentView): Html[] {
  // RFC 8252 section 8.6: only an https: address belongs to someone.
  if (client.confidential || redirectUri.startsWith('https:')) return [];
  const local = isLoopbackRedirect(redirectUri, { localhost: true });
  return [t.html('consent.warn.program'), t.html(local ? 'consent.warn.local' : 'consent.warn.app')];
}

function unknownOrigin(t: Translator, { client, site, scopes, beyond }: ConsentView): Html[] {
  const { source, clientId, reviewed } = client;
  if (source === 'registered') return [t.html('consent.warn.claimed', { school: site.name })];
  if (source !== 'document' || reviewed) return [];
  return [
    t.html('consent.warn.unreviewed', { school: site.name, host: hostOf(clientId) }),
    ...(beyond.length === 0 && onlyViews(t.catalogue, scopes)
      ? [t.html('consent.warn.view', { school: site.name })]
      : []),
  ];
}
