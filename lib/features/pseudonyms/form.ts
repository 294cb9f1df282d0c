import type { ApplicationField } from '../../pages/kit/application-field.ts';
import { html } from '../../pages/kit/markup.ts';

/** Whether an application knows people by pseudonyms: a tick, with a field that says that it was there. */
export const pseudonymField: ApplicationField = {
  member: 'subject',
  name: 'pseudonyms',
  label: 'form.pseudonyms',
  problems: { unusable: 'form.pseudonyms', scope: 'problem.scopes.pseudonyms' },
  ends: {
    title: 'narrow.pseudonyms.title',
    text: (entered) => (entered === '' ? 'narrow.pseudonyms.off' : 'narrow.pseudonyms.on'),
  },
  said: 'form.pseudonyms',
  permission: (scope) => (scope === 'openid' ? 'form.pseudonyms.openid' : undefined),
  isIn: ({ enabled, audience, isSignIn, before }) =>
    enabled.hasOption('pseudonyms') && audience !== 'service' && (isSignIn || before?.subject !== undefined),
  field: (t, entered, { problems, aria }) => html`<div><input type="hidden" name="asked" value="pseudonyms">${problems}
<label class="row"><input type="checkbox" id="pseudonyms" name="pseudonyms" value="yes"${entered !== '' && html` checked`} ${aria}><span>${t.html('form.pseudonyms')}<span class="hint" id="pseudonyms-hint">${t.html('form.pseudonyms.hint')}</span></span></label></div>`,
  shown: ({ subject }) => subject && 'yes',
  read: () => ({ subject: 'pairwise' }),
};
