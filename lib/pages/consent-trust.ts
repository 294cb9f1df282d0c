import type { ClientInfo } from '../core/clients/client.ts';
import { isLoopbackRedirect, redirectHost } from '../core/clients/redirect-uri.ts';
import { onlyViews } from './consent-choice.ts';
import type { ConsentPage } from './consent-parties.ts';
import { startedWithoutRedirect, trustFor } from './consent-trust-level.ts';
import { trustLine } from './kit/app-header.ts';
import { html, type Html, isolated, shortName, type Translator } from './kit/markup.ts';
import { notice } from './kit/notice.ts';
import { isVerified, trustSentence } from './kit/trust.ts';

/** What is known of who asks. */
interface Trust {
  /** The sentence that counts. */
  readonly first: Html;
  readonly rest: readonly Html[];
}

/** One line about who asks, or a box where that cannot be checked; then why it can only view, if it can. */
export function trust(t: Translator, page: ConsentPage): Html {
  const { first, rest } = trustIn(t, page);
  const text = html`<b>${first}</b>${rest.map((each) => html` ${each}`)}`;
  const limit = viewsOnly(t, page);
  return html`${trustFor(page) === 'unchecked' ? notice('warn', text) : trustLine(text, page.client.copyDate === undefined)}
${limit && html`<p class="soft">${limit}</p>`}`;
}

/** The same as texts, for a host that draws its own page: nothing for a client of which somebody knows whose it is. */
export function warningTexts(t: Translator, page: ConsentPage): Html[] {
  const { first, rest } = trustIn(t, page);
  const limit = viewsOnly(t, page);
  return [...(trustFor(page) === 'known' ? [] : [first, ...rest]), ...(limit ? [limit] : [])];
}

function trustIn(t: Translator, page: ConsentPage): Trust {
  return withoutRedirect(t, page) ?? localApp(t, page) ?? byItsSource(t, page);
}

/** An app that nobody is sent back to. */
function withoutRedirect(t: Translator, { client, redirectUri, startPlaces }: ConsentPage): Trust | undefined {
  if (!startedWithoutRedirect(redirectUri, startPlaces)) return undefined;
  const [first, ...rest] = startPlaces.flatMap(({ warnings }) => warnings.map((key) => t.html(key)));
  return first && { first, rest: client.source === 'registered' ? [...rest, t.html('consent.warn.name')] : rest };
}

/** Who is behind it does not tell which program asks. */
function localApp(t: Translator, { client, site, redirectUri }: ConsentPage): Trust | undefined {
  if (client.confidential || redirectUri.startsWith('https:')) return undefined;
  const isLocal = isLoopbackRedirect(redirectUri, { localhost: true });
  const known = { ...client, known: client.app };
  return {
    first: isVerified(known) ? trustSentence(t, site.name, known) : t.html('consent.warn.unverified'),
    rest: [t.html(isLocal ? 'consent.warn.local' : 'consent.warn.app', { client: shortName(client.clientName) })],
  };
}

function byItsSource(t: Translator, page: ConsentPage): Trust {
  const { client, site, redirectUri } = page;
  const names = { client: shortName(client.clientName), school: site.name };
  const sends = t.html('consent.trust.sends', { host: isolated(redirectHost(redirectUri)) });
  if (client.source === 'application' || client.source === 'static')
    return { first: trustSentence(t, site.name, client), rest: [] };
  if (client.source === 'document') return published(t, page, sends);
  if (client.app?.verified === true) return { first: sends, rest: [t.html('consent.trust.known', names)] };
  const rest = [t.html('consent.warn.claimed', { ...names, host: isolated(redirectHost(redirectUri)) })];
  return { first: t.html('consent.warn.unverified'), rest };
}

function published(t: Translator, { client, site, redirectUri }: ConsentPage, sends: Html): Trust {
  const host = hostOf(client);
  const names = { client: shortName(client.clientName), school: site.name };
  const { copyDate } = client;
  const isSentOn = redirectHost(redirectUri) !== host;
  return {
    first: t.html(copyDate === undefined ? 'consent.trust.checked' : 'consent.trust.published', {
      host: isolated(host),
    }),
    rest: [
      ...(isSentOn ? [sends] : []),
      ...(copyDate === undefined
        ? []
        : [t.html('consent.trust.copy', { date: t.date(Date.parse(`${copyDate}T11:00Z`) / 1000) })]),
      t.html(client.reviewed ? 'consent.trust.approved' : 'consent.warn.unreviewed', names),
    ],
  };
}

function hostOf({ clientId }: ClientInfo): string {
  return URL.parse(clientId)?.host ?? clientId;
}

/** Why the app can only view, for who cannot approve more here. */
function viewsOnly(t: Translator, { client, site, scopes, beyond, waits }: ConsentPage): Html | undefined {
  const isUnreviewed = client.source === 'document' && !client.reviewed;
  if (!(waits || isUnreviewed) || beyond.length > 0 || !onlyViews(t.catalogue, scopes)) return undefined;
  return t.html('consent.warn.view', { school: site.name });
}
