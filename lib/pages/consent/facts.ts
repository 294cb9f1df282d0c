import type { ClientInfo } from '../../contracts/client.ts';
import type { Site } from '../../contracts/platform.ts';
import { isLoopbackRedirect, redirectHost } from '../../protocol/redirect-uri.ts';
import { html, type Html } from '../kit/html.ts';
import { isolated, shortName, type Translator } from '../kit/translator.ts';

type Row = readonly [name: Html, value: Html];

interface Asking {
  readonly client: ClientInfo;
  readonly site: Site;
  readonly redirectUri: string;
}

/** Who the client is, and where it sends the person. */
export function facts(t: Translator, { client, site, redirectUri }: Asking): Html {
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
${rows.map(([term, value]) => html`<div><dt>${term}</dt> <dd>${value}</dd></div>`)}
</dl>`;
}

/** Only what is verified: a self-registered client's own statements are not. */
function originRows(t: Translator, client: ClientInfo, site: Site): Row[] {
  const { source, clientId, clientUri } = client;
  if (source === 'document') {
    const checked = html`<span class="badge good">${t.html('consent.publisher.checked')}</span>`;
    return [[t.html('consent.publisher'), html`${isolated(hostOf(clientId))} ${checked}`]];
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

export function hostOf(address: string): string {
  return URL.parse(address)?.host ?? address;
}
