import type { ClientInfo } from '../contracts/client.ts';
import type { Member, Site } from '../contracts/platform.ts';
import { isLoopbackRedirect, redirectHost } from '../redirect-uri.ts';
import { type Scope, type ScopeAccess, scopeRow } from '../scopes.ts';
import { html, type Html } from './html.ts';
import type { Page } from './layout.ts';

/** What the person is asked. */
export interface ConsentQuestion {
  readonly site: Site;
  readonly member: Member;
  readonly client: ClientInfo;
  readonly redirectUri: string;
  readonly scopes: readonly Scope[];
  /** What the consent policies want the person to read. */
  readonly texts: readonly string[];
  /** Nothing can be allowed; the person can only go back. */
  readonly denied: boolean;
  readonly csrf: string;
}

/** The consent page: who asks, where the answer goes, and what it would be allowed. Specification: What the service does 7. */
export function consentPage(question: ConsentQuestion): Page {
  const { client, member, redirectUri, scopes, texts, denied, csrf } = question;
  const local = isLoopbackRedirect(redirectUri, { localhost: true });
  return {
    title: titleOf(question),
    status: denied ? 403 : 200,
    body: html`
<dl>
<dt>You</dt><dd>${member.name} (${member.email})</dd>
${client.clientUri && html`<dt>Application</dt><dd>${hostOf(client.clientUri)}</dd>`}
<dt>Sends you to</dt><dd>${local ? `a program on this computer (${redirectHost(redirectUri)})` : redirectHost(redirectUri)}</dd>
</dl>
${local && !client.confidential && html`<p class="notice">Any program on this computer could ask in this name. Go on only if you started it yourself, just now.</p>`}
${texts.map((text) => html`<p class="notice">${text}</p>`)}
${!denied && html`<p>It will be able to:</p>${scopeLists(scopes)}`}
<form method="post">
<input type="hidden" name="csrf" value="${csrf}">
<div class="actions">
${!denied && html`<button class="primary" type="submit" name="decision" value="allow">Allow</button>`}
<button type="submit" name="decision" value="deny">${denied ? 'Go back' : 'Deny'}</button>
</div>
</form>`,
  };
}

function titleOf({ client: { clientName, audience }, site, denied }: ConsentQuestion): string {
  if (denied) return `${clientName} cannot be connected`;
  return audience === 'member'
    ? `Allow ${clientName} to use your account at ${site.name}?`
    : `Allow ${clientName} to work at ${site.name} for you?`;
}

const headings: readonly (readonly [ScopeAccess, string])[] = [
  ['identity', 'About you'],
  ['read', 'Look'],
  ['write', 'Change things'],
];

function scopeLists(scopes: readonly Scope[]): Html[] {
  const rows = scopes.flatMap((scope) => scopeRow(scope) ?? []);
  return headings.flatMap(([access, heading]) => {
    const areas = Map.groupBy(
      rows.filter((row) => row.access === access),
      (row) => row.area,
    );
    if (areas.size === 0) return [];
    const lists = [...areas].map(
      ([area, listed]) => html`
${access !== 'identity' && html`<h3>${area}</h3>`}
<ul>${listed.map((row) => html`<li>${row.text}</li>`)}</ul>`,
    );
    return [html`<h2>${heading}</h2>${lists}`];
  });
}

function hostOf(address: string): string {
  return URL.parse(address)?.host ?? address;
}
