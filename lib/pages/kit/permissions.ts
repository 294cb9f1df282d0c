import { identityScopes, type Scope, type ScopeAccess, type ScopeRow } from '../../core/scopes/scopes.ts';
import { html, type Html, type Translator } from './markup.ts';
import { changesData, permissionRow, power } from './permission-row.ts';

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
  /** The field of the form. @default scope */
  readonly field?: string | undefined;
  /** The id of the form. @default the form that they stand in */
  readonly form?: string | undefined;
  /** What stands above the rows. Its buttons are never what Enter on a checkbox presses. @default nothing */
  readonly above?: Html | false | undefined;
}

/** Checkboxes by area: what changes data comes first, in the list and in each area. */
export function permissionRows(t: Translator, scopes: readonly Scope[], choice: PermissionChoice): Html {
  const wanted = new Set(choosable(scopes));
  const areas = byArea(t.catalogue.rows)
    .map(([area, rows]) => ({ area, rows: rows.filter(({ scope }) => wanted.has(scope)) }))
    .filter(({ rows }) => rows.length > 0)
    .map((area) => ({ ...area, order: area.rows.some(changesData) ? 0 : 1 }))
    .sort((a, b) => a.order - b.order);
  return html`${enterDoesNothing(choice.form)}${choice.above}<ul class="areas">
${areas.map(
  ({ area, rows }) => html`<li><h3>${t.html(`area.${area}`)}</h3>
${[...rows.filter(changesData), ...rows.filter((row) => !changesData(row))].map((row) => permissionRow(t, row, rowChoice(t, row, choice)))}</li>
`,
)}</ul>`;
}

function rowChoice(t: Translator, { scope }: ScopeRow, { ticked, note, field, form }: PermissionChoice) {
  const told = note?.(scope);
  return { isTicked: ticked(scope), note: told && t.html(told), field, form };
}

/**
 * Enter on a checkbox presses the first button of its form. This one sends nothing: a form outside of a dialog has none to close.
 * A disabled one does not help, since Chromium then presses the next.
 */
function enterDoesNothing(form: string | undefined): Html {
  return html`<button type="submit" formmethod="dialog"${form !== undefined && html` form="${form}"`} hidden></button>`;
}

/** The most powerful permissions come first. */
const order: readonly ScopeAccess[] = ['write', 'read', 'identity'];

/** For administrators: what people allow. */
export function scopeList(t: Translator, scopes: readonly Scope[]): Html {
  const rows = t.catalogue.rows.filter(({ scope }) => scopes.includes(scope));
  const ordered = order.flatMap((access) => rows.filter((row) => row.access === access));
  return html`<ul class="events">${ordered.map((row) => html`<li>${power(t, row)}<span>${t.forOthers(`scope.${row.scope}`)}</span></li>`)}</ul>`;
}

export function byArea(rows: readonly ScopeRow[]): [area: string, rows: ScopeRow[]][] {
  return [...Map.groupBy(rows, ({ area }) => area)];
}
