import type { ScopeRow } from '../../core/scopes/scopes.ts';
import { icon } from './icons.ts';
import { html, type Html, type Translator } from './markup.ts';

interface PermissionRow {
  readonly isTicked: boolean;
  /** What the person has to know of it beside what it permits. */
  readonly note?: Html | false | undefined;
  /** What limits it. @default nothing */
  readonly hint?: Html | false | undefined;
  /** Whether what was ticked cannot be accepted. @default false */
  readonly isWrong?: boolean | undefined;
  /** The field of the form. @default scope */
  readonly field?: string | undefined;
  /** The id of its form. @default the form that it stands in */
  readonly form?: string | undefined;
}

export function changesData({ access }: ScopeRow): boolean {
  return access === 'write';
}

/** A checkbox, clickable as a whole row. The icon is the most powerful thing in it; what else it gives is a second line. */
export function permissionRow(
  t: Translator,
  row: ScopeRow,
  { isTicked, note, hint, isWrong, field = 'scope', form }: PermissionRow,
): Html {
  const { scope } = row;
  // That something can be deleted is what the icon says.
  const others = row.marks?.filter((mark) => mark !== 'deletion') ?? [];
  const more = others.map((mark, i) => html`${i > 0 && ' · '}${t.html(`consent.mark.${mark}`)}`);
  return html`<label class="row"><input type="checkbox" name="${field}" value="${scope}"${form !== undefined && html` form="${form}"`}${changesData(row) && html` class="writes"`}${isWrong === true && html` aria-invalid="true" aria-describedby="scope.problem"`}${isTicked && html` checked`}><span>${t.scope(scope)}${note && html` <span class="badge new">${note}</span>`}${more.length > 0 && html` <b class="soft bad">${more}</b>`}${hint && html` <span class="hint">${hint}</span>`}</span>${power(t, row)}</label>
`;
}

/** The most powerful thing in a permission. */
export function power(t: Translator, row: ScopeRow): Html {
  if (!changesData(row)) return icon('view');
  if (row.marks?.includes('deletion') !== true) return icon('change');
  return html` <span class="hide">${t.html('consent.mark.deletion')}</span>${icon('delete', 'bad')}`;
}
