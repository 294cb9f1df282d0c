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
  { row: 'name', fields: ['Viewer.name'], claims: ['name'], brief: 'sees.briefName' },
  { row: 'picture', fields: [], claims: ['picture'] },
  { row: 'email', fields: ['Viewer.email'], claims: ['email', 'email_verified'], brief: 'sees.briefEmail' },
  { row: 'roles', fields: ['Viewer.id'], claims: ['sub', 'org_id', 'roles'], brief: 'sees.briefRoles' },
  { row: 'schools', fields: ['Viewer.schools'], claims: [] },
  { row: 'courses', fields: ['Viewer.enrolledCourses'], claims: [] },
  {
    row: 'purchases',
    fields: ['Viewer.digitalProducts', 'Viewer.consultingServices', 'Viewer.eventRegistrations'],
    claims: [],
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
  /** The reader of the list. @default the person */
  readonly reader?: 'others' | undefined;
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
  /** The same in one word, where the row is built in. */
  readonly brief?: TextKey | undefined;
}

/** So many of its rows are named in the line. */
const named = 3;

/** One line that opens: what a client sees without being allowed it. It is open where the person allows nothing else. */
export function alwaysSees(t: Translator, seen: Seen): Html | false {
  const rows = rowsOf(t, seen);
  const isAll = seen.scopes.every(isIdentity);
  if (rows.length === 0) return false;
  const title = t.html(seen.pseudonym ? 'sees.titleCode' : 'sees.title', { also: isAll ? 0 : 1 });
  return html`<details class="sees"${isAll && html` open`}><summary>${icon('person')}<h2>${title} <span class="hint">${inBrief(t, rows)}</span></h2></summary>
<ul>${rows.map(({ text }) => html`<li>${text}</li>`)}</ul>
</details>`;
}

/** The first of them in a word each, and how many there are besides. */
function inBrief(t: Translator, rows: readonly SeenRow[]): string {
  const words = rows.flatMap(({ brief }) => (brief ? t.text(brief) : [])).slice(0, named);
  const others = rows.length - words.length;
  const more = others > 0 ? [t.text('sees.briefMore', { count: others })] : [];
  const list = new Intl.ListFormat(t.language).format([...words, ...more]);
  return list.charAt(0).toLocaleUpperCase(t.language) + list.slice(1);
}

function briefOf(each: AlwaysVisible, pseudonym: boolean | undefined): TextKey | undefined {
  if (each.row === 'roles' && pseudonym) return 'sees.briefCode';
  return 'brief' in each ? each.brief : undefined;
}

/** Beside what is built in: what the host says that an identity scope gives here, and what it adds. */
export function seenRows(t: Translator, seen: Seen): Html[] {
  return rowsOf(t, seen).map(({ text }) => text);
}

function rowsOf(t: Translator, { scopes, open, school, member, pseudonym, reader }: Seen): SeenRow[] {
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
  const forReader = (key: TextKey): TextKey => {
    const others = `people.${key}`;
    return reader === 'others' && t.has(others) ? others : key;
  };
  return [
    ...shown.map((each) => ({ text: t.html(forReader(textOf(each)), { school }), brief: briefOf(each, pseudonym) })),
    ...replaced.map((scope) => ({ text: reader === 'others' ? t.forOthers(`scope.${scope}`) : t.scope(scope) })),
    ...more.map((text) => ({ text })),
  ];
}
