import type { Member } from '../../contracts/platform.ts';
import { html, type Html } from './html.ts';
import { type Translator, shortName } from './translator.ts';

/** Who is signed in, and the way out for somebody else. */
export function personLine(say: Translator, { name, email }: Member, notYou: string): Html {
  const person = say.html('person.signedIn', { name: shortName(name), email });
  return html`<p class="person">${person} · <a href="${notYou}">${say.text('person.notYou')}</a></p>`;
}
