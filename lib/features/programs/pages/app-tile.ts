import type { ClientAudience, ClientSource, ProgramInfo } from '../../../core/clients/client.ts';
import { icon, type IconName } from '../../../pages/kit/icons.ts';
import { html, type Html, type Translator } from '../../../pages/kit/markup.ts';
import { programGlyph } from '../../../pages/kit/tile.ts';

/** What is known of an app beside its name. */
export interface AppKind {
  readonly source?: ClientSource | undefined;
  readonly audience?: ClientAudience | undefined;
  readonly host?: string | undefined;
  readonly firstParty?: boolean | undefined;
  readonly known?: ProgramInfo | undefined;
}

/** Whether an app has only said itself what it is. */
export function isClaimed({ source, known }: AppKind): boolean {
  return source === 'registered' && known?.verified !== true;
}

/** A neutral glyph of its kind, since anyone can publish a picture. It is dashed where nobody can check what the app is. */
export function appTile(app: AppKind, isSmall = false): Html {
  const classes = ['tile', isSmall && 's', isClaimed(app) && 'unknown'].filter((each) => each !== false);
  return html`<span class="${classes.join(' ')}">${icon(glyphOf(app))}</span>`;
}

function glyphOf({ source, audience, known }: AppKind): IconName {
  if (audience === 'service') return 'loop';
  const own = programGlyph(known?.id);
  if (own) return own;
  if (source === 'static') return 'apps';
  if (source === 'application') return 'code';
  return source === 'registered' && !known ? 'terminal' : 'chat';
}

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

function line(name: IconName, tone: 'good' | 'warn' | undefined, text: Html): Html {
  return html`<p class="trust">${icon(name, tone)}<span>${text}</span></p>`;
}

/** Below its name on its page: whether anyone can check that it is what it says. */
export function trustLine(t: Translator, app: AppKind, client: string): Html {
  const { source, host, known } = app;
  if (source === 'document') return line('shield', 'good', t.html('apps.trust.document', { host: host ?? '' }));
  if (isClaimed(app)) return line('warn', 'warn', t.html('apps.trust.claimed', { client }));
  if (source === 'registered') return line('shield', 'good', t.html('apps.trust.registered', { client }));
  if (source === undefined && known?.publisher !== undefined)
    return line('shield', undefined, t.html('apps.origin.publisher', { publisher: known.publisher }));
  return line('shield', 'good', originLine(t, app));
}
