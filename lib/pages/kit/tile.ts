import type { ClientAudience, ClientSource, AppInfo } from '../../core/clients/client.ts';
import type { Site } from '../../host/school-platform.ts';
import { icon, type IconName } from './icons.ts';
import { html, type Html } from './markup.ts';
import { schoolLogo } from './pages.ts';
import type { StatusClass } from './status.ts';
import { isVerified } from './trust.ts';
import { isKnownAppId, knownApp } from '../../core/known-apps/known-apps.ts';
import { ownEntry } from '../../kernel/own-entry.ts';

export type TileSize = 'large' | 'small';

const sizeClass = (size: TileSize): string => (size === 'small' ? ' s' : '');

const initial = /[\p{L}\p{N}\p{Extended_Pictographic}]/u;

/** The image at an address that the page's policy permits, or the first letter. It says nothing that the text beside it does not. */
export function monogram(name: string, image?: string, size: TileSize = 'large', isUnknown = false): Html {
  if (image !== undefined) return html`<img class="tile${sizeClass(size)}" src="${image}" alt="">`;
  // One code point: a letter can be followed by any number of combining marks.
  const letter = initial.exec(name)?.[0] ?? '';
  return html`<span class="tile${sizeClass(size)}${isUnknown && ' unknown'}" aria-hidden="true">${letter.toUpperCase().slice(0, 2)}</span>`;
}

/** Above the heading of a page that says how something ended. */
export function roundTile(name: IconName, status: StatusClass): Html {
  return html`<span class="tile round ${status}">${icon(name)}</span>`;
}

/** What known apps of a kind look like: a terminal, an editor. The others have their initial. */
const glyphs: Readonly<Record<string, IconName>> = {
  'claude-code': 'terminal',
  codex: 'terminal',
  'factory-droid': 'terminal',
  'gemini-cli': 'terminal',
  'github-copilot-cli': 'terminal',
  goose: 'terminal',
  'mcp-remote': 'terminal',
  opencode: 'terminal',
  warp: 'terminal',
  cursor: 'code',
  devin: 'code',
  'github-copilot-jetbrains': 'code',
  'google-antigravity': 'code',
  'mcp-inspector': 'code',
  mcpjam: 'code',
  postman: 'code',
  toolhive: 'code',
  v0: 'code',
  'vs-code': 'code',
  zed: 'code',
  'n8n-cloud': 'loop',
};

/** The glyph of a known app; a bubble for a chat. */
export function appGlyph(app: string): IconName {
  return ownEntry(glyphs, app) ?? 'chat';
}

/** The neutral picture of a known app: its own logo is only for who has proved to be it. */
export function glyphTile(app: string, size: TileSize = 'large'): Html {
  const glyph = ownEntry(glyphs, app);
  return glyph ? iconTile(glyph, size) : monogram(isKnownAppId(app) ? knownApp(app).name : app, undefined, size);
}

function iconTile(name: IconName, size: TileSize, isUnknown = false): Html {
  return html`<span class="tile${sizeClass(size)}${isUnknown && ' unknown'}">${icon(name)}</span>`;
}

/** What is known of an app beside its name. */
export interface AppKind {
  readonly source?: ClientSource | undefined;
  readonly audience?: ClientAudience | undefined;
  readonly host?: string | undefined;
  readonly firstParty?: boolean | undefined;
  readonly known?: AppInfo | undefined;
  readonly clientName?: string | undefined;
}

/** For operators: the glyph of its kind or its initial, since anyone can publish a picture. It is dashed where nobody can check what the app is. */
export function appTile(app: AppKind, size: TileSize = 'large'): Html {
  const glyph = glyphOf(app);
  if (glyph) return iconTile(glyph, size, !isVerified(app));
  const { known, clientName = '' } = app;
  return monogram(known?.name ?? clientName, undefined, size, !isVerified(app));
}

/** Nothing for an app of no kind. Nobody knows who is behind a name that a client chose itself. */
function glyphOf({ source, audience, known }: AppKind): IconName | undefined {
  if (audience === 'service') return 'loop';
  const own = ownEntry(glyphs, known?.id ?? '');
  if (own) return own;
  return source === 'registered' && !known ? 'terminal' : undefined;
}

/** How a tile draws a client, as far as it is known who is behind it. */
export interface TileClient {
  readonly clientName: string;
  readonly source: ClientSource;
  readonly app?: { readonly id: string; readonly verified?: boolean | undefined } | undefined;
}

/** A logo that somebody has approved, the glyph of a known app, or the first letter. Nobody knows who is behind a name that a client chose itself. */
export function clientTile({ clientName, source, app }: TileClient, logo?: string, size: TileSize = 'large'): Html {
  if (logo !== undefined) return monogram(clientName, logo, size);
  if (!isVerified({ source, known: app }))
    return html`<span class="tile${sizeClass(size)} unknown">${icon('terminal')}</span>`;
  return app?.verified === true ? glyphTile(app.id, size) : monogram(clientName, undefined, size);
}

/** Who asks, with its logo if somebody has approved one, and whose data it is. */
export function parties(client: TileClient, site: Site, logo?: string): Html {
  return html`<div class="app">${clientTile(client, logo)}${icon('arrow')}${monogram(site.name, schoolLogo(site)?.href)}</div>`;
}
