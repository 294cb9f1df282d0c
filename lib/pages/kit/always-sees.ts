import { claimsByScope } from '../../host/member-claims.ts';
import { isToldAlone } from '../../host/standard-claims.ts';
import { profileOf } from '../../host/member-profile.ts';
import type { Member } from '../../host/school-platform.ts';
import { replacedScopes, type TextKey } from '../../i18n/texts.ts';
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
  const unknown = told.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    const why = `but only fields and tools that need no scope: ${names.join(', ') || 'none'}`;
    throw optionError('pages.texts', `not have ${unknown.map((name) => `sees.${name}`).join(', ')}, ${why}`);
  }
  return { names, told, claims: hasClaims ? claims : undefined };
}

/** What is open to a client that may not see the address of the person. Without the Member API there is nothing to ask. */
export async function openFor(open: AlwaysOpen, seesEmail: () => Promise<boolean>): Promise<AlwaysOpen> {
  if (!open.names.includes('Viewer.email') || (await seesEmail())) return open;
  return { ...open, names: open.names.filter((name) => name !== 'Viewer.email') };
}

/** The built-in ones in the order of the page: fields of the Member API without a scope, and claims of the identity scopes. */
export const alwaysVisible = [
  { row: 'name', fields: ['Viewer.name'], claims: ['name'], isIdentity: true },
  { row: 'picture', fields: [], claims: ['picture'], isIdentity: true },
  { row: 'email', fields: ['Viewer.email'], claims: ['email', 'email_verified'], isIdentity: true },
  { row: 'roles', fields: ['Viewer.id'], claims: ['sub', 'org_id', 'roles'], isIdentity: true },
  { row: 'schools', fields: ['Viewer.schools'], claims: [], isIdentity: false },
  { row: 'courses', fields: ['Viewer.enrolledCourses'], claims: [], isIdentity: false },
  {
    row: 'purchases',
    fields: ['Viewer.digitalProducts', 'Viewer.consultingServices', 'Viewer.eventRegistrations'],
    claims: [],
    isIdentity: false,
  },
] as const;

type AlwaysVisible = (typeof alwaysVisible)[number];

const builtIn = new Set<string>(alwaysVisible.flatMap(({ fields }): readonly string[] => fields));

interface Seen {
  readonly scopes: readonly Scope[];
  readonly open: AlwaysOpen;
  readonly school: string;
  /** The person, who may lack an address. @default anyone, of whom nothing is known */
  readonly member?: Member | undefined;
  /** Whether the client knows the person by a pseudonym: then its tokens are good for UserInfo only, and the host adds no claims. @default false */
  readonly pseudonym?: boolean | undefined;
}

/** A platform can have either alone. */
function purchasesText(returned: ReadonlySet<string>): TextKey {
  const events = returned.has('Viewer.eventRegistrations');
  const bought = returned.has('Viewer.digitalProducts') || returned.has('Viewer.consultingServices');
  if (!events) return 'sees.bought';
  return bought ? 'sees.purchases' : 'sees.events';
}

const nothingOpen: AlwaysOpen = { names: [], told: [], claims: undefined };

interface SeenRow {
  readonly text: Html;
  /** Whether it says who the person is, which each application has to know. */
  readonly isIdentity: boolean;
}

/**
 * One line that opens: what a client sees without being allowed it. What is more than who the person is stands in that line. It is open
 * where the person allows nothing else.
 */
export function alwaysSees(t: Translator, seen: Seen): Html | false {
  const rows = rowsOf(t, seen);
  const isAll = seen.scopes.every(isIdentity);
  if (rows.length === 0) return false;
  const more = rows.filter((row) => !row.isIdentity);
  const named = more.map(({ text }, i) => html`${i > 0 && ' · '}${text}`);
  return html`<details class="sees"${isAll && html` open`}><summary>${icon('person')}<h2>${t.html('sees.title', { count: rows.length })}${more.length > 0 && !isAll && html` <span class="hint">${named}</span>`}</h2></summary>
<ul>${rows.map(({ text }) => html`<li>${text}</li>`)}</ul>
</details>`;
}

/** Beside what is built in: what the host says that an identity scope gives here, and what it adds. */
export function seenRows(t: Translator, seen: Seen): Html[] {
  return rowsOf(t, seen).map(({ text }) => text);
}

function rowsOf(t: Translator, { scopes, open, school, member, pseudonym }: Seen): SeenRow[] {
  const { names, told, claims } = pseudonym ? nothingOpen : open;
  const returned = new Set<string>([
    ...names,
    ...Object.entries(claimsByScope).flatMap(([scope, own]) => (scopes.includes(scope) ? own : [])),
  ]);
  const shown = alwaysVisible.filter((each) => [...each.fields, ...each.claims].some((name) => returned.has(name)));
  const replaced = replacedScopes(t.catalogue).filter((scope) => isIdentity(scope) && scopes.includes(scope));
  const untold = names.filter((name) => !builtIn.has(name) && !told.includes(name));
  const added = scopes.includes('openid')
    ? claims?.filter((name) => !isToldAlone(name) || scopes.includes('profile'))
    : undefined;
  const more = [
    ...[...told, ...(added ?? [])].map((name) => t.html(`sees.${name}`)),
    ...(untold.length > 0 ? [t.html('sees.more', { school, names: html`<code>${untold.join(', ')}</code>` })] : []),
    ...(added && claims?.length === 0 ? [t.html('sees.claims', { school })] : []),
  ];
  const lacksEmail = member !== undefined && profileOf(member).email === undefined;
  const textOf = ({ row }: AlwaysVisible): TextKey => {
    if (row === 'roles' && pseudonym) return 'sees.pseudonym';
    if (row === 'purchases') return purchasesText(returned);
    return row === 'email' && lacksEmail ? 'sees.noEmail' : `sees.${row}`;
  };
  return [
    ...shown.map((each) => ({ text: t.html(textOf(each), { school }), isIdentity: each.isIdentity })),
    ...replaced.map((scope) => ({ text: t.scope(scope), isIdentity: true })),
    ...more.map((text) => ({ text, isIdentity: false })),
  ];
}
