import { claimsByScope } from '../../host/member-claims.ts';
import { replacedScopes } from '../../i18n/texts.ts';
import { hostNames, type TextOverrides } from '../../i18n/translations.ts';
import type { Scope } from '../../core/scopes/scopes.ts';
import { optionError } from '../../kernel/validate.ts';
import { icon } from './icons.ts';
import { html, type Html, type Translator } from './markup.ts';
import { isIdentity } from './permissions.ts';

/** What this campus returns to every token. */
export interface AlwaysOpen {
  /** Fields of the Member API as `Viewer.name`, and tools as `tool.name`, that need no scope. */
  readonly names: readonly string[];
  /** Those of `names` that have a text of the host. */
  readonly told: readonly string[];
  /** The host's claims that have a text; nothing if the host adds none. */
  readonly claims: readonly string[] | undefined;
}

/** @throws TypeError for a text of something that is not there, or that needs a scope */
export function alwaysOpen(names: readonly string[], hasClaims: boolean, texts: TextOverrides): AlwaysOpen {
  const { claims, fields: told } = hostNames(texts);
  const unknown = told.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const why = `which no field or tool here is that needs no scope; there are ${names.join(', ') || 'none'}`;
    throw optionError('pages.texts', `not have sees.${unknown}, ${why}`);
  }
  return { names, told, claims: hasClaims ? claims : undefined };
}

/** The built-in ones in the order of the page: fields of the Member API without a scope, and claims of the identity scopes. */
export const alwaysVisible = [
  { row: 'name', fields: ['Viewer.name'], claims: ['name'] },
  { row: 'picture', fields: [], claims: ['picture'] },
  { row: 'email', fields: ['Viewer.email'], claims: ['email', 'email_verified'] },
  { row: 'roles', fields: ['Viewer.id'], claims: ['sub', 'org_id', 'roles'] },
  { row: 'schools', fields: ['Viewer.schools'], claims: [] },
  { row: 'courses', fields: ['Viewer.enrolledCourses'], claims: [] },
  {
    row: 'purchases',
    fields: ['Viewer.digitalProducts', 'Viewer.consultingServices', 'Viewer.eventRegistrations'],
    claims: [],
  },
] as const;

const builtIn = new Set<string>(alwaysVisible.flatMap(({ fields }): readonly string[] => fields));

interface Seen {
  readonly scopes: readonly Scope[];
  readonly open: AlwaysOpen;
  readonly school: string;
  /** Whether the client knows the person by a pseudonym: then its tokens are good for UserInfo only, and the host adds no claims. @default false */
  readonly pseudonym?: boolean | undefined;
}

const nothingOpen: AlwaysOpen = { names: [], told: [], claims: undefined };

/** One line that opens: what a client sees without being allowed it. It is open where the person allows nothing else. */
export function alwaysSees(t: Translator, seen: Seen): Html | false {
  const rows = seenRows(t, seen);
  const isAll = seen.scopes.every(isIdentity);
  if (rows.length === 0) return false;
  return html`<details class="sees"${isAll && html` open`}><summary>${icon('person')}<h2>${t.html('sees.title', { count: rows.length })}</h2></summary>
<ul>${rows.map((row) => html`<li>${row}</li>`)}</ul>
</details>`;
}

/** Beside what is built in: what the host says that an identity scope gives here, and what it adds. */
export function seenRows(t: Translator, { scopes, open, school, pseudonym }: Seen): Html[] {
  const { names, told, claims } = pseudonym ? nothingOpen : open;
  const returned = new Set<string>([
    ...names,
    ...Object.entries(claimsByScope).flatMap(([scope, own]) => (scopes.includes(scope) ? own : [])),
  ]);
  const shown = alwaysVisible.filter((each) => [...each.fields, ...each.claims].some((name) => returned.has(name)));
  const replaced = replacedScopes(t.catalogue).filter((scope) => isIdentity(scope) && scopes.includes(scope));
  const untold = names.filter((name) => !builtIn.has(name) && !told.includes(name));
  const added = scopes.includes('openid') ? claims : undefined;
  return [
    ...shown.map(({ row }) => t.html(row === 'roles' && pseudonym ? 'sees.pseudonym' : `sees.${row}`, { school })),
    ...replaced.map((scope) => t.scope(scope)),
    ...[...told, ...(added ?? [])].map((name) => t.html(`sees.${name}`)),
    ...(untold.length > 0 ? [t.html('sees.more', { school, names: html`<code>${untold.join(', ')}</code>` })] : []),
    ...(added?.length === 0 ? [t.html('sees.claims', { school })] : []),
  ];
}
