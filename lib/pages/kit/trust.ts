import type { ClientAudience, ClientSource } from '../../core/clients/client.ts';
import { trustLine } from './app-header.ts';
import { claimedMark, html, type Html, isolated, shortName, type Translator } from './markup.ts';

/** An app, as far as it is known who is behind it. */
export interface TrustedApp {
  readonly clientName?: string | undefined;
  readonly source?: ClientSource | undefined;
  readonly audience?: ClientAudience | undefined;
  readonly host?: string | undefined;
  /** What is known of its app, and whether that is verified. */
  readonly known?: { readonly verified?: boolean | undefined; readonly publisher?: string | undefined } | undefined;
}

/** Whether its address, or who created it, proves who it is. What only registered itself is proven by the row of its app. */
export function isVerified({ source, known }: Pick<TrustedApp, 'source' | 'known'>): boolean {
  return source !== 'registered' || known?.verified === true;
}

/** Who is behind an app, in one sentence: the same on each page. */
export function trustSentence(t: Translator, school: string, app: TrustedApp): Html {
  const { source, host, clientName = '', known } = app;
  const names = { school, client: shortName(clientName) };
  if (source === 'application') return t.html('consent.trust.school', names);
  if (source === 'static') return t.html('consent.trust.platform', names);
  if (source === 'document') return t.html('consent.trust.checked', { host: isolated(host ?? '') });
  if (source === 'registered') return t.html(isVerified(app) ? 'consent.trust.known' : 'consent.warn.name', names);
  // Nobody has connected it, so there is nothing to verify yet.
  return known?.publisher === undefined ? html`` : t.html('apps.origin.publisher', { publisher: known.publisher });
}

/** Below the name of an app on its page. @param website - a sentence about where it is, if there is one */
export function trustOf(t: Translator, school: string, app: TrustedApp, website?: Html | false): Html {
  const sentence = html`${trustSentence(t, school, app)}${website && html` ${website}`}`;
  return app.source === undefined ? html`<p class="soft">${sentence}</p>` : trustLine(sentence, isVerified(app));
}

/** Beside the name of an app that nobody has verified, where nothing else says so. */
export function unverifiedMark(t: Translator, app: TrustedApp): Html | false {
  return !isVerified(app) && claimedMark(t);
}

/** In a list: where an app comes from, in a few words. */
export function originLine(t: Translator, app: TrustedApp & { readonly firstParty?: boolean | undefined }): Html {
  const { source, audience, host, firstParty, known } = app;
  if (source === 'document') return t.html('apps.origin.document', { host: host ?? '' });
  if (source === 'application')
    return t.html(audience === 'service' ? 'apps.origin.service' : 'apps.origin.application');
  if (source === 'static') return t.html(firstParty === true ? 'apps.origin.platform' : 'apps.origin.static');
  if (!isVerified(app)) return t.html('apps.origin.claimed');
  return known?.publisher === undefined ? html`` : t.html('apps.origin.publisher', { publisher: known.publisher });
}
