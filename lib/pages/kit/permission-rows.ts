import { identityScopes, type Scope, type ScopeAccess, type ScopeRow } from '../../protocol/scopes.ts';
import { html, type Html } from './html.ts';
import type { Translator } from './translator.ts';

interface PermissionChoice {
  readonly ticked: (scope: Scope) => boolean;
  /** Scopes that are marked as new. @default none */
  readonly isNew?: ((scope: Scope) => boolean) | undefined;
}

/** The scopes that a person decides on: all but the identity scopes, which give no more than every token sees. */
export function choosable(scopes: readonly Scope[]): Scope[] {
  return scopes.filter((scope) => !identityScopes.some((each) => each === scope));
}

/** Checkboxes, a row for each area: what changes data comes first, in the list and in each row. */
export function permissionRows(t: Translator, scopes: readonly Scope[], choice: PermissionChoice): Html {
  const wanted = new Set<string>(choosable(scopes));
  const areas = [...Map.groupBy(t.catalogue.rows, ({ area }) => area)]
    .map(([area, rows]) => ({ area, rows: rows.filter(({ scope }) => wanted.has(scope)) }))
    .filter(({ rows }) => rows.length > 0);
  const [changing, viewing] = [areas.filter(changes), areas.filter((area) => !changes(area))];
  return html`<div class="areas-head" aria-hidden="true"><span></span><span>${t.html('access.write')}</span><span>${t.html('access.read')}</span></div>
<ul class="areas">
${[...changing, ...viewing].map(
  ({ area, rows }) => html`<li><h3>${t.html(`area.${area}`)}</h3>
${boxes(t, rows, 'write', choice)}
${boxes(t, rows, 'read', choice)}</li>
`,
)}</ul>`;
}

function changes({ rows }: { readonly rows: readonly ScopeRow[] }): boolean {
  return rows.some(({ access }) => access === 'write');
}

function boxes(
  t: Translator,
  rows: readonly ScopeRow[],
  access: ScopeAccess,
  { ticked, isNew }: PermissionChoice,
): Html | false {
  const listed = rows.filter((row) => row.access === access);
  return (
    listed.length > 0 &&
    html`<div class="${access}">${listed.map(
      ({ scope }) =>
        html`<label class="tick"><input type="checkbox" name="scope" value="${scope}"${ticked(scope) && html` checked`}><span>${t.scope(scope)}${isNew?.(scope) === true && html` <span class="badge new">${t.html('consent.new')}</span>`}</span></label>`,
    )}</div>`
  );
}
