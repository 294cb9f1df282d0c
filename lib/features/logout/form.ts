import type { ApplicationField, ApplicationForm } from '../../pages/kit/application-field.ts';
import { html } from '../../pages/kit/markup.ts';

/** A sign-in client has a use for these, and whatever else the platform has given them to. */
function isFor(
  member: 'postLogoutRedirectUris' | 'backchannelLogoutUri',
  { enabled, audience, isSignIn, before }: ApplicationForm,
): boolean {
  const isOn = enabled.hasOption('logout') && audience !== 'service';
  return isOn && (isSignIn || before?.[member] !== undefined);
}

/** Where people can be sent after they signed out of the school. */
export const signedOutUrisField: ApplicationField = {
  member: 'postLogoutRedirectUris',
  name: 'post_logout_redirect_uris',
  label: 'form.signedOutUris',
  problems: { unusable: 'problem.signedOutUris', many: 'problem.redirectUris.many' },
  isIn: (form) => isFor('postLogoutRedirectUris', form),
  field: (
    t,
    entered,
    { problems, aria },
  ) => html`<div class="field"><label for="post_logout_redirect_uris">${t.html('form.signedOutUris')} <span class="soft">${t.html('form.optional')}</span></label>
<span class="hint" id="post_logout_redirect_uris-hint">${t.html('form.signedOutUris.hint')}</span>${problems}
<textarea id="post_logout_redirect_uris" name="post_logout_redirect_uris" rows="2" dir="ltr" spellcheck="false" ${aria}>
${entered}</textarea></div>`,
  shown: ({ postLogoutRedirectUris }) => postLogoutRedirectUris?.join('\n'),
  read: (entered) => ({ postLogoutRedirectUris: [...new Set(entered.split(/\s+/))] }),
};

/** Where an application learns that a person is signed out. */
export const signOutsField: ApplicationField = {
  member: 'backchannelLogoutUri',
  name: 'backchannel_logout_uri',
  label: 'form.signOuts',
  problems: { unusable: 'problem.signOuts' },
  isIn: (form) => isFor('backchannelLogoutUri', form),
  field: (
    t,
    entered,
    { problems, aria },
  ) => html`<div class="field"><label for="backchannel_logout_uri">${t.html('form.signOuts')} <span class="soft">${t.html('form.optional')}</span></label>
<span class="hint" id="backchannel_logout_uri-hint">${t.html('form.signOuts.hint')}</span>${problems}
<input type="text" inputmode="url" dir="ltr" id="backchannel_logout_uri" name="backchannel_logout_uri" value="${entered}" autocomplete="off" ${aria}></div>`,
  shown: ({ backchannelLogoutUri }) => backchannelLogoutUri,
  read: (entered) => ({ backchannelLogoutUri: entered }),
};
