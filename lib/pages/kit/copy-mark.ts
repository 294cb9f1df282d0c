import { html, type Html, type Translator } from './markup.ts';

/** Says that a metadata document was not fetched: what is shown is a copy of this day. */
export function copyMark(t: Translator, day: string): Html {
  // Towards noon it is the same day almost everywhere.
  const date = t.date(Date.parse(`${day}T11:00Z`) / 1000);
  return html`<span class="badge warn">${t.html('consent.publisher.copy', { date })}</span>`;
}
