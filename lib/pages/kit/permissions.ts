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
  /** What limits it. @default nothing */
  readonly hint?: ((scope: Scope) => Html | false) | undefined;
  /** Whether what was ticked cannot be accepted. `scope.problem` is the id of why. @default false */
  readonly isWrong?: boolean | undefined;
  /** Its field of the form. @default scope */
  readonly field?: ((scope: Scope) => string) | undefined;
  /** The id of the form. @default the form that they stand in */
  readonly form?: string | undefined;
  /** What stands above the rows. Its buttons are never what Enter on a checkbox presses. @default nothing */
  readonly above?: Html | false | undefined;
}

/** With more permissions than this, a list has the areas as headings, and one step ticks them all. */
export const manyScopes = 6;

/** Checkboxes: what is viewed comes first. Where there are many, they are in areas. */
export function permissionRows(t: Translator, scopes: readonly Scope[], choice: PermissionChoice): Html {
  const wanted = new Set(choosable(scopes));
  const rows = t.catalogue.rows.filter(({ scope }) => wanted.has(scope));
  const list = (all: readonly ScopeRow[]): Html[] =>
    viewsFirst(all).map((row) => permissionRow(t, row, rowChoice(t, row, choice)));
  return html`${enterDoesNothing(choice.form)}${choice.above}${
    rows.length <= manyScopes
      ? list(rows)
      : html`<ul class="areas">
${byArea(rows).map(
  ([area, own]) => html`<li><h3>${t.html(`area.${area}`)}</h3>
${list(own)}</li>
`,
)}</ul>`
  }`;
}

/** What it views, then what it changes. */
export function viewsFirst(rows: readonly ScopeRow[]): ScopeRow[] {
  return [...rows.filter((row) => !changesData(row)), ...rows.filter(changesData)];
}

function rowChoice(t: Translator, { scope }: ScopeRow, { ticked, note, hint, isWrong, field, form }: PermissionChoice) {
  const told = note?.(scope);
  return {
    isTicked: ticked(scope),
    note: told && t.html(told),
    hint: hint?.(scope),
    isWrong,
    field: field?.(scope),
    form,
  };
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
