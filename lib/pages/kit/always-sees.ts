import type { VisibleRow } from '../../host/always-visible.ts';
import { html, type Html } from './html.ts';
import type { Translator } from './translator.ts';

/** The section of what a client sees without being allowed it. */
export function alwaysSees(t: Translator, rows: readonly VisibleRow[], school: string): Html | false {
  return (
    rows.length > 0 &&
    html`<section class="sees" aria-labelledby="sees">
<h2 id="sees">${t.text('sees.title')}</h2>
<ul>${rows.map((row) => html`<li>${t.html(`sees.${row}`, { school })}</li>`)}</ul>
</section>`
  );
}
