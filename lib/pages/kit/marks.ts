import { html, type Html, type Translator } from './markup.ts';

/** Beside a client that proves with a private key who it is: nobody else gets tokens in its name. */
export function keyMark(t: Translator): Html {
  return html`<span class="badge good">${t.html('client.key')}</span>`;
}

/** The same among the facts of a client. */
export function keyRow(t: Translator): readonly [Html, Html] {
  return [t.html('client.proof'), keyMark(t)];
}

/** Says that a metadata document was not fetched: what is shown is a copy of this day. */
export function copyMark(t: Translator, day: string): Html {
  // Towards noon it is the same day almost everywhere.
  const date = t.date(Date.parse(`${day}T11:00Z`) / 1000);
  return html`<span class="badge warn">${t.html('consent.publisher.copy', { date })}</span>`;
}
