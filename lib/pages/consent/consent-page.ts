import type { ClientInfo } from '../../contracts/client.ts';
import type { Member, Site } from '../../contracts/platform.ts';
import { isLoopbackRedirect, redirectHost } from '../../protocol/redirect-uri.ts';
import type { Scope } from '../../protocol/scopes.ts';
import { html, type Html } from '../kit/html.ts';
import type { PageIn } from '../kit/pages.ts';
import { personLine } from '../kit/person-line.ts';
import { foreign, type Translator, shortName } from '../kit/translator.ts';
import { scopeChoice } from '../kit/scope-lists.ts';

/** What the person is asked. */
export interface ConsentQuestion {
  readonly site: Site;
  readonly member: Member;
  readonly client: ClientInfo;
  readonly redirectUri: string;
  readonly scopes: readonly Scope[];
  /** Which of them the person allowed before. */
  readonly before: ReadonlySet<string>;
  /** What the consent policies want the person to read. */
  readonly texts: readonly string[];
  /** Nothing can be allowed; the person can only go back. */
  readonly denied: boolean;
  /** The person has just allowed nothing. */
  readonly nothingTicked: boolean;
  readonly csrf: string;
  /** Where somebody else can sign in. */
  readonly notYou: string;
  /** Whether there is a page of connected apps. */
  readonly connectedApps: boolean;
}

/** The consent page: who asks, where the answer goes, and what it would be allowed. Specification: What the service does 7. */
export function consentPage(question: ConsentQuestion): PageIn {
  const { client, member, site, scopes, before, texts, denied, nothingTicked, csrf, notYou } = question;
  const names = { client: shortName(client.clientName), school: site.name };
  const title = denied ? 'consent.title.denied' : (`consent.title.${client.audience}` as const);
  return (say) => ({
    title: say.text(title, names),
    heading: say.html(title, names),
    before: personLine(say, member, notYou),
    status: denied ? 403 : nothingTicked ? 400 : 200,
    body: html`
${nothingTicked && html`<div class="problems" role="alert" tabindex="-1" autofocus>${say.text('consent.none')}</div>`}
<dl>
${rows(say, question).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}
</dl>
${warnings(say, question).map((text) => html`<p class="notice">${text}</p>`)}
${texts.map((text) => html`<p class="notice">${text}</p>`)}
<form method="post">
<input type="hidden" name="csrf" value="${csrf}">
${!denied && html`<input type="hidden" name="choice" value="shown"><p>${say.text('consent.will')} <span class="soft">${say.text('consent.choose')}</span></p>${scopeChoice(say, scopes, before)}`}
${!denied && html`<p class="soft">${say.text('consent.own')}</p>`}
${!denied && question.connectedApps && html`<p class="soft">${say.text('consent.later')}</p>`}
<div class="actions">
${!denied && html`<button class="primary" type="submit" name="decision" value="allow">${say.text('consent.allow')}</button>`}
<button type="submit" name="decision" value="deny">${say.text(denied ? 'consent.back' : 'consent.deny')}</button>
</div>
</form>`,
  });
}

type Row = readonly [name: string, value: Html];

function rows(say: Translator, { client, site, redirectUri }: ConsentQuestion): Row[] {
  const name = foreign(shortName(client.clientName));
  const claimed = client.source === 'registered' || client.source === 'document';
  return [
    [
      say.text('consent.application'),
      claimed ? html`${name} <span class="badge warn">${say.text('consent.claimed')}</span>` : name,
    ],
    ...origin(say, client, site),
    [say.text('consent.redirect'), destination(say, redirectUri)],
  ];
}

/** Where the application comes from, as far as that is certain. What it says of itself is not. */
function origin(say: Translator, client: ClientInfo, site: Site): Row[] {
  const { source, clientId, clientUri } = client;
  if (source === 'document') {
    const checked = html`<span class="badge good">${say.text('consent.publisher.checked')}</span>`;
    return [[say.text('consent.publisher'), html`${foreign(hostOf(clientId))} ${checked}`]];
  }
  if (source === 'registered') return [];
  const website: Row[] = clientUri === undefined ? [] : [[say.text('consent.website'), foreign(hostOf(clientUri))]];
  if (source === 'static') return website;
  return [...website, [say.text('consent.origin'), say.html('consent.origin.school', { school: site.name })]];
}

function destination(say: Translator, redirectUri: string): Html {
  const host = redirectHost(redirectUri);
  if (isLoopbackRedirect(redirectUri, { localhost: true })) return say.html('consent.redirect.local', { host });
  return redirectUri.startsWith('https:') ? foreign(host) : say.html('consent.redirect.app', { host });
}

function warnings(say: Translator, { client, site, redirectUri }: ConsentQuestion): Html[] {
  const { source, clientId, confidential, reviewed } = client;
  const local = isLoopbackRedirect(redirectUri, { localhost: true }) && !confidential;
  return [
    ...(local ? [say.html('consent.warn.local')] : []),
    ...(source === 'registered' ? [say.html('consent.warn.claimed', { school: site.name })] : []),
    ...(source === 'document' && !reviewed
      ? [say.html('consent.warn.unreviewed', { school: site.name, host: hostOf(clientId) })]
      : []),
  ];
}

function hostOf(address: string): string {
  return URL.parse(address)?.host ?? address;
}
