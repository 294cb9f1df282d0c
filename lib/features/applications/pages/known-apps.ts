import { noticeBlock } from '../../../pages/kit/notice.ts';
import { html, type Html, type Translator } from '../../../pages/kit/markup.ts';
import { knownApp } from '../../../core/known-apps/known-apps.ts';
import { identityScopes, type Scope } from '../../../core/scopes/scopes.ts';
import { libreChatServer } from '../../../pages/set-up/apps.ts';
import type { FormValues } from './form-values.ts';

/** An app that people enter a client id into, and what an application for it needs. */
interface KnownApplication {
  readonly id: 'claude' | 'chatgpt' | 'claude-code' | 'vs-code' | 'cursor' | 'gemini-cli' | 'libre-chat';
  /** None for an app at an address of its operator's own. */
  readonly redirectUris: readonly string[];
  readonly kind: 'confidential' | 'public';
}

/** A test compares the callbacks with those of `simulated-clients`. */
export const knownApplications: readonly KnownApplication[] = [
  {
    id: 'claude',
    redirectUris: ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
    kind: 'confidential',
  },
  { id: 'chatgpt', redirectUris: ['https://chatgpt.com/connector_platform_oauth_redirect'], kind: 'confidential' },
  { id: 'claude-code', redirectUris: ['http://localhost/callback'], kind: 'public' },
  { id: 'vs-code', redirectUris: ['http://127.0.0.1/', 'https://vscode.dev/redirect'], kind: 'public' },
  {
    id: 'cursor',
    redirectUris: ['http://localhost/callback', 'https://www.cursor.com/agents/mcp/oauth/callback'],
    kind: 'public',
  },
  { id: 'gemini-cli', redirectUris: ['http://localhost/oauth/callback'], kind: 'public' },
  { id: 'libre-chat', redirectUris: [], kind: 'confidential' },
];

export function findKnownApplication(id: unknown): KnownApplication | undefined {
  return knownApplications.find((app) => app.id === id);
}

/** The app with these callbacks: each has its own on the web, and LibreChat the same path everywhere. */
export function appWithCallback(redirectUris: readonly string[]): KnownApplication | undefined {
  const isUsed = (uri: string): boolean => redirectUris.includes(uri);
  const isOwn = (uri: string): boolean => uri.startsWith('https:') && isUsed(uri);
  return (
    knownApplications.find((app) => app.redirectUris.some(isOwn)) ??
    knownApplications.find((app) => app.redirectUris.length > 0 && app.redirectUris.every(isUsed)) ??
    (libreChatServer(redirectUris) === undefined ? undefined : findKnownApplication('libre-chat'))
  );
}

interface Filling {
  readonly app?: KnownApplication | undefined;
  /** The app that was chosen before. */
  readonly before?: KnownApplication | undefined;
  /** What the tools need. */
  readonly scopes: readonly Scope[];
}

/** Replaces what the app that was chosen before has filled in, and nothing that was typed. */
export function filledIn(values: FormValues, { app, before, scopes }: Filling): FormValues {
  const { clientName, redirectUris } = values;
  const typed = redirectUris.split(/\s+/).filter((uri) => uri !== '' && before?.redirectUris.includes(uri) !== true);
  const uris = new Set([...typed, ...(app?.redirectUris ?? [])]);
  return {
    ...values,
    clientName: ['', nameOf(before)].includes(clientName) ? nameOf(app) : clientName,
    redirectUris: [...uris].join('\n'),
    kind: app?.kind ?? values.kind,
    scopes: isSame(values.scopes, before ? scopes : identityScopes) ? (app ? scopes : identityScopes) : values.scopes,
  };
}

function nameOf(known?: KnownApplication): string {
  return known ? knownApp(known.id).name : '';
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((each) => others.includes(each));
}

/** Above the form: the app that it is for. */
export function appChoice(t: Translator, pagePath: string, chosen: KnownApplication | undefined): Html {
  const apps = knownApplications.map(({ id }) => ({ id, name: knownApp(id).name }));
  return html`<div class="flow" role="group" aria-labelledby="apps">
<h2 id="apps">${t.html('known.title')}</h2>
<p class="soft">${t.html('known.hint')}</p>
${appTiles(t, pagePath, apps, chosen?.id)}
</div>`;
}

/**
 * Buttons of the form, so that it keeps what was typed; the address that they lead to says what was chosen. The first button of
 * a form is the one that Enter in a field presses.
 */
export function appTiles(
  t: Translator,
  pagePath: string,
  apps: readonly { readonly id: string; readonly name: string }[],
  chosen: string | undefined,
): Html {
  const button = (name: string | Html, id?: string): Html =>
    html`<li><button type="submit" form="new" formaction="${pagePath}${id && `&app=${id}`}" name="action" value="app"${id === chosen && html` aria-current="true"`}>${name}</button></li>`;
  return html`<button type="submit" form="new" hidden></button>
<ul class="tiles">${apps.map(({ id, name }) => button(name, id))}${button(t.html('known.none'))}</ul>`;
}

/** Above a form that was filled in for an app; and where to enter the client ID there. */
export function appNotice(t: Translator, { id, redirectUris }: KnownApplication): Html {
  return noticeBlock(
    'good',
    html`${redirectUris.length > 0 && html`<p>${t.html('form.started', { app: knownApp(id).name })}</p>`}
<p><strong>${t.html('known.where')}</strong><br>${t.html(`known.${id}`)}</p>`,
  );
}
