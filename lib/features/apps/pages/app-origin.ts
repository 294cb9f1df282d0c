import { trustLine } from '../../../pages/kit/app-header.ts';
import { html, type Html, type Translator } from '../../../pages/kit/markup.ts';
import { type AppKind, isClaimed } from '../../../pages/kit/tile.ts';

/** In a list: where it comes from, in a few words. */
export function originLine(t: Translator, app: AppKind): Html {
  const { source, audience, host, firstParty, known } = app;
  if (source === 'document') return t.html('apps.origin.document', { host: host ?? '' });
  if (source === 'application')
    return t.html(audience === 'service' ? 'apps.origin.service' : 'apps.origin.application');
  if (source === 'static') return t.html(firstParty === true ? 'apps.origin.platform' : 'apps.origin.static');
  if (isClaimed(app)) return t.html('apps.origin.claimed');
  return known?.publisher === undefined ? html`` : t.html('apps.origin.publisher', { publisher: known.publisher });
}

/** Below its name on its page: whether anyone can check that it is what it says. */
export function trustOf(t: Translator, app: AppKind, client: string): Html {
  const { source, host } = app;
  if (source === 'document') return trustLine(t.html('apps.trust.document', { host: host ?? '' }), true);
  if (isClaimed(app)) return trustLine(t.html('apps.trust.claimed', { client }), false);
  if (source === 'registered') return trustLine(t.html('apps.trust.registered', { client }), true);
  // Nobody has connected it, so there is nothing to check yet.
  return source === undefined ? html`<p class="soft">${originLine(t, app)}</p>` : trustLine(originLine(t, app), true);
}
