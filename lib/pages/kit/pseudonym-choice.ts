import type { ProgramRule } from '../../core/clients/client-status.ts';
import { html, type Html, type Translator } from './markup.ts';

/** What a school can let such a client see all the same: the identity scopes that tell who a person is. */
const namingScopes = ['profile', 'email'] as const;

/** Pseudonyms in the form of a decision, with a field that says that they were there. */
export function pseudonymFields(t: Translator, { pseudonym = false, scopes = [] }: ProgramRule): Html {
  return html`<details${pseudonym && html` open`}><summary>${t.html('rule.pseudonyms')}</summary><input type="hidden" name="asked" value="pseudonym">
${tick('pseudonym', 'yes', pseudonym, html`${t.html('form.pseudonyms')}<span class="hint">${t.html('rule.pseudonyms.hint')}</span>`)}
<fieldset><legend>${t.html('rule.pseudonyms.names')}</legend>
${namingScopes.map((scope) => tick('named', scope, pseudonym && scopes.includes(scope), t.forOthers(`scope.${scope}`)))}</fieldset></details>`;
}

function tick(name: string, value: string, isTicked: boolean, text: Html): Html {
  return html`<label class="row"><input type="checkbox" name="${name}" value="${value}"${isTicked && html` checked`}><span>${text}</span></label>`;
}
