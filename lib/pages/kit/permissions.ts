import { identityScopes, type Scope, type ScopeAccess, type ScopeRow } from '../../core/scopes/scopes.ts';
import { icon } from './icons.ts';
import { html, type Html, type Translator } from './markup.ts';

export function isIdentity(scope: Scope): boolean {
  return identityScopes.some((each) => each === scope);
}

/** The scopes that a person decides on: all but the identity scopes, which give no more than every token sees. */
export function choosable(scopes: readonly Scope[]): Scope[] {
  return scopes.filter((scope) => !isIdentity(scope));
}

/** Whether the choices need a wide page, which has two columns. */
export function needsWidth(scopes: readonly Scope[]): boolean {
  return choosable(scopes).length > 12;
}

interface PermissionChoice {
  readonly ticked: (scope: Scope) => boolean;
  /** What the person has to know of a scope beside what it permits. @default nothing */
  readonly note?: ((scope: Scope) => 'consent.new' | 'consent.declined' | undefined) | undefined;
  /** What stands above the rows. Its buttons are never what Enter on a checkbox presses. @default nothing */
  readonly above?: Html | false | undefined;
}

/** Checkboxes by area: what changes data comes first, in the list and in each area. */
export function permissionRows(t: Translator, scopes: readonly Scope[], choice: PermissionChoice): Html {
  const wanted = new Set(choosable(scopes));
  const areas = byArea(t.catalogue.rows)
    .map(([area, rows]) => ({ area, rows: rows.filter(({ scope }) => wanted.has(scope)) }))
    .filter(({ rows }) => rows.length > 0)
    .map((area) => ({ ...area, order: area.rows.some(changes) ? 0 : 1 }))
    .sort((a, b) => a.order - b.order);
  return html`${enterDoesNothing}${choice.above}<ul class="areas">
${areas.map(
  ({ area, rows }) => html`<li><h3>${t.html(`area.${area}`)}</h3>
${[...rows.filter(changes), ...rows.filter((row) => !changes(row))].map((row) => box(t, row, choice))}</li>
`,
)}</ul>`;
}

function changes({ access }: ScopeRow): boolean {
  return access === 'write';
}

/**
 * Enter on a checkbox presses the first button of its form. This one sends nothing: a form outside of a dialog has none to close.
 * A disabled one does not help, since Chromium then presses the next.
 */
const enterDoesNothing = html`<button type="submit" formmethod="dialog" hidden></button>`;

/** The icon is the most powerful thing in it; what else it gives is a second line. */
function box(t: Translator, row: ScopeRow, { ticked, note }: PermissionChoice): Html {
  const { scope, marks = [] } = row;
  const told = note?.(scope);
  const more = marks.map((mark, i) => html`${i > 0 && ' · '}${t.html(`consent.mark.${mark}`)}`);
  return html`<label class="row"><input type="checkbox" name="scope" value="${scope}"${changes(row) && html` class="writes"`}${ticked(scope) && html` checked`}><span>${t.scope(scope)}${told && html` <span class="badge new">${t.html(told)}</span>`}${more.length > 0 && html` <b class="soft bad">${more}</b>`}</span>${power(row)}</label>
`;
}

function power(row: ScopeRow): Html {
  if (!changes(row)) return icon('view');
  return row.marks?.includes('deletion') === true ? icon('delete', 'bad') : icon('change');
}

/** The most powerful permissions come first. */
const order: readonly ScopeAccess[] = ['write', 'read', 'identity'];

/** For administrators: what people allow. */
export function scopeList(t: Translator, scopes: readonly Scope[]): Html {
  const rows = t.catalogue.rows.filter(({ scope }) => scopes.includes(scope));
  const ordered = order.flatMap((access) => rows.filter((row) => row.access === access));
  return html`<ul class="events">${ordered.map((row) => html`<li>${power(row)}<span>${t.forOthers(`scope.${row.scope}`)}</span></li>`)}</ul>`;
}

export function byArea(rows: readonly ScopeRow[]): [area: string, rows: ScopeRow[]][] {
  return [...Map.groupBy(rows, ({ area }) => area)];
}
