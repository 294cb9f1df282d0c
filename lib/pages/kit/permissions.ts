import { identityScopes, type Scope, type ScopeAccess, type ScopeRow } from '../../core/scopes/scopes.ts';
import { html, type Html, type Translator } from './markup.ts';

export function isIdentity(scope: Scope): boolean {
  return identityScopes.some((each) => each === scope);
}

/** The scopes that a person decides on: all but the identity scopes, which give no more than every token sees. */
export function choosable(scopes: readonly Scope[]): Scope[] {
  return scopes.filter((scope) => !isIdentity(scope));
}

/** Whether the choices need a wide page, so that most rows fit into one line. */
export function needsWidth(scopes: readonly Scope[]): boolean {
  return choosable(scopes).length > 4;
}

interface PermissionChoice {
  readonly ticked: (scope: Scope) => boolean;
  /** What the person has to know of a scope beside what it permits. @default nothing */
  readonly note?: ((scope: Scope) => 'consent.new' | 'consent.declined' | undefined) | undefined;
  /** What stands above the rows. Its buttons are never what Enter on a checkbox presses. @default nothing */
  readonly above?: Html | false | undefined;
}

/** Checkboxes, a row for each area: what changes data comes first, in the list and in each row. */
export function permissionRows(t: Translator, scopes: readonly Scope[], choice: PermissionChoice): Html {
  const wanted = new Set(choosable(scopes));
  const areas = byArea(t.catalogue.rows)
    .map(([area, rows]) => ({ area, rows: rows.filter(({ scope }) => wanted.has(scope)) }))
    .filter(({ rows }) => rows.length > 0)
    .map((area) => ({ ...area, order: area.rows.some(({ access }) => access === 'write') ? 0 : 1 }))
    .sort((a, b) => a.order - b.order);
  const columns = (['write', 'read'] as const).filter((kind) =>
    areas.some((area) => area.rows.some(({ access }) => access === kind)),
  );
  return html`${enterDoesNothing}${choice.above}<div class="areas-head" aria-hidden="true"><span></span>${columns.map((kind) => html`<span>${t.html(`access.${kind}`)}</span>`)}</div>
<ul class="areas">
${areas.map(
  ({ area, rows }) => html`<li><h3>${t.html(`area.${area}`)}</h3>
${boxes(t, rows, 'write', choice)}
${boxes(t, rows, 'read', choice)}</li>
`,
)}</ul>`;
}

/**
 * Enter on a checkbox presses the first button of its form. This one sends nothing: a form outside of a dialog has none to close.
 * A disabled one does not help, since Chromium then presses the next.
 */
const enterDoesNothing = html`<button type="submit" formmethod="dialog" hidden></button>`;

function boxes(t: Translator, rows: readonly ScopeRow[], access: ScopeAccess, choice: PermissionChoice): Html | false {
  const { ticked, note } = choice;
  const listed = rows.filter((row) => row.access === access);
  if (listed.length === 0) return false;
  const box = ({ scope, marks = [] }: ScopeRow): Html => {
    const told = note?.(scope);
    const badges = marks.map((mark) => html` <span class="badge warn">${t.html(`consent.mark.${mark}`)}</span>`);
    return html`<label class="tick"><input type="checkbox" name="scope" value="${scope}"${ticked(scope) && html` checked`}><span>${t.scope(scope)}${badges}${told && html` <span class="badge new">${t.html(told)}</span>`}</span></label>`;
  };
  return html`<div class="${access}">${listed.map(box)}</div>`;
}

/** The most powerful permissions come first. */
const order: readonly ScopeAccess[] = ['write', 'read', 'identity'];

/** For administrators: what people allow. */
export function scopeList(t: Translator, scopes: readonly Scope[]): Html {
  const rows = t.catalogue.rows.filter(({ scope }) => scopes.includes(scope));
  const ordered = order.flatMap((access) => rows.filter((row) => row.access === access));
  return html`<ul>${ordered.map(({ scope }) => html`<li>${t.forOthers(`scope.${scope}`)}</li>`)}</ul>`;
}

export function byArea(rows: readonly ScopeRow[]): [area: string, rows: ScopeRow[]][] {
  return [...Map.groupBy(rows, ({ area }) => area)];
}
