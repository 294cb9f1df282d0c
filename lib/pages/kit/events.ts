import { icon, type IconName } from './icons.ts';
import { html, type Html } from './markup.ts';

interface EventRow {
  readonly icon: IconName;
  /** Red is for what was refused or ended. */
  readonly isBad?: boolean | undefined;
  readonly text: Html;
  /** A `<time>`. */
  readonly time: Html;
}

/** What happened, the last first. */
export function events(rows: readonly EventRow[]): Html {
  return html`<ul class="events">${rows.map(
    (row) => html`<li>${icon(row.icon, row.isBad === true ? 'bad' : undefined)}<p>${row.text}</p>${row.time}</li>\n`,
  )}</ul>`;
}
