import type { AppRule } from '../../core/access/rule.ts';
import { html, type Html, type Translator } from './markup.ts';

/** Pseudonyms in the form of a decision, with a field that says that they were there. */
export function pseudonymFields(t: Translator, { pseudonym = false }: AppRule): Html {
  return html`<details${pseudonym && html` open`}><summary>${t.html('rule.pseudonyms')}</summary><input type="hidden" name="asked" value="pseudonym">
<label class="row"><input type="checkbox" name="pseudonym" value="yes"${pseudonym && html` checked`}><span>${t.html('form.pseudonyms')}<span class="hint">${t.html('rule.pseudonyms.hint')}</span></span></label></details>`;
}
