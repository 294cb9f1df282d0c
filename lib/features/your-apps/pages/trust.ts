import type { Connection } from '../../../core/connections/connection.ts';
import type { Site } from '../../../host/school-platform.ts';
import { trustLine } from '../../../pages/kit/app-header.ts';
import { claimedMark, html, type Html, isolated, shortName, type Translator } from '../../../pages/kit/markup.ts';

/** Whether anybody could be behind the name of an app. */
function isUnchecked({ source, app }: Connection): boolean {
  return source === 'registered' && app?.verified !== true;
}

/** Beside the name of such an app, where nothing else says so. */
export function uncheckedMark(t: Translator, connection: Connection): Html | false {
  return isUnchecked(connection) && claimedMark(t);
}

/** One line about who is behind an app, in the words of the consent page. */
export function trust(t: Translator, { name: school }: Site, connection: Connection): Html {
  return trustLine(sentence(t, school, connection), !isUnchecked(connection));
}

function sentence(t: Translator, school: string, connection: Connection): Html {
  const { source, host, clientName } = connection;
  const names = { school, client: shortName(clientName) };
  if (source === 'application') return html`${t.html('consent.trust.school', names)} ${website(t, host)}`;
  if (source === 'static') return html`${t.html('consent.trust.platform', names)} ${website(t, host)}`;
  if (source === 'document' && host !== undefined) return t.html('consent.trust.checked', { host: isolated(host) });
  return t.html(isUnchecked(connection) ? 'consent.warn.name' : 'consent.trust.known', names);
}

function website(t: Translator, host: string | undefined): Html | false {
  return host !== undefined && t.html('connected.website', { host: isolated(host) });
}
