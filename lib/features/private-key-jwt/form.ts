import { keysProblem, type PublicKeys } from '../../core/keys/public-keys.ts';
import type { ApplicationField } from '../../pages/kit/application-field.ts';
import { html } from '../../pages/kit/markup.ts';

/** Public keys in place of a secret: a key set, or its address. */
export const keysField: ApplicationField = {
  member: 'publicKeys',
  name: 'public_keys',
  label: 'form.keys',
  problems: { empty: 'problem.keys.empty', unusable: 'problem.keys' },
  inPlaceOfSecret: { issued: 'secret.keys', examples: 'start.examples.keys', request: 'request.key' },
  changed: 'review.keys',
  isIn: ({ enabled, before }) => (before ? before.publicKeys !== undefined : enabled.takesKeys),
  field: (
    t,
    entered,
    { problems, aria },
  ) => html`<div class="field"><label for="public_keys">${t.html('form.keys')} <span class="soft">${t.html('form.optional')}</span></label>
<span class="hint" id="public_keys-hint">${t.html('form.keys.hint')}</span>${problems}
<textarea id="public_keys" name="public_keys" rows="4" dir="ltr" spellcheck="false" ${aria}>
${entered}</textarea></div>`,
  shown: ({ publicKeys }) => (typeof publicKeys === 'object' ? JSON.stringify(publicKeys, undefined, 2) : publicKeys),
  read: (entered) => ({ publicKeys: keysIn(entered) }),
};

/** What is not a key set stays as it was entered, and is not an address, either. */
function keysIn(entered: string): PublicKeys {
  try {
    const set: unknown = JSON.parse(entered);
    return isKeys(set) ? set : entered;
  } catch {
    return entered;
  }
}

function isKeys(value: unknown): value is PublicKeys {
  return keysProblem(value) === undefined;
}
