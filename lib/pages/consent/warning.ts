import type { ClientInfo } from '../../contracts/client.ts';
import type { Site } from '../../contracts/platform.ts';
import { isLoopbackRedirect } from '../../protocol/redirect-uri.ts';
import type { Scope } from '../../protocol/scopes.ts';
import { html, type Html } from '../kit/html.ts';
import { choosable } from '../kit/permission-rows.ts';
import type { Translator } from '../kit/translator.ts';
import { hostOf } from './facts.ts';

interface Asking {
  readonly client: ClientInfo;
  readonly site: Site;
  readonly redirectUri: string;
  readonly scopes: readonly Scope[];
}

/** One box; its first line, the most important, is bold. */
export function warning(t: Translator, asking: Asking): Html | false {
  const [first, ...others] = [...impersonation(t, asking), ...unknownOrigin(t, asking)];
  if (!first) return false;
  return html`<div class="notice"><p><strong>${first}</strong></p>${others.map((line) => html`<p>${line}</p>`)}</div>`;
}

function impersonation(t: Translator, { client, redirectUri }: Asking): Html[] {
  // RFC 8252 section 8.6: only an https: address belongs to someone.
  if (client.confidential || redirectUri.startsWith('https:')) return [];
  const local = isLoopbackRedirect(redirectUri, { localhost: true });
  return [t.html('consent.warn.program'), t.html(local ? 'consent.warn.local' : 'consent.warn.app')];
}

function unknownOrigin(t: Translator, { client, site, scopes }: Asking): Html[] {
  const { source, clientId, reviewed } = client;
  if (source === 'registered') return [t.html('consent.warn.claimed', { school: site.name })];
  if (source !== 'document' || reviewed) return [];
  const onlyViews = choosable(scopes).every((scope) => t.catalogue.row(scope)?.access !== 'write');
  return [
    t.html('consent.warn.unreviewed', { school: site.name, host: hostOf(clientId) }),
    ...(onlyViews ? [t.html('consent.warn.view', { school: site.name })] : []),
  ];
}
