import type { FormTranslator } from '../../../pages/kit/application-field.ts';
import type { TextKey } from '../../../i18n/texts.ts';
import type { Application, ApplicationSecret } from '../../../core/applications/application.ts';
import { knownApp } from '../../../core/known-apps/known-apps.ts';
import { paths } from '../../../http/paths.ts';
import { notice } from '../../../pages/kit/notice.ts';
import { html, type Html } from '../../../pages/kit/markup.ts';
import { fact } from '../../../pages/kit/facts.ts';
import { memberPage } from '../../../pages/kit/member-page.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import { copyField, copyText, copyScriptPath } from '../../../pages/kit/copy.ts';
import { examplesFor } from './example-apps.ts';
import { appWithCallback } from './known-apps.ts';
import { recipesFor, type RecipeText } from './sign-in-recipes.ts';
import { signedFor } from '../../../core/clients/sign-in-client.ts';
import { addressOf, endpointFor, setUpSteps } from '../../../pages/set-up/steps.ts';
import type { ApplicationPageRequest } from './page-request.ts';
import { hasSecret, inPlaceOfSecret, oldSecret } from './secrets.ts';

/** How to connect an app with an application; nothing of it is secret. */
export function connectSection(t: FormTranslator, options: ApplicationPageRequest, application: Application): Html {
  return html`<section><h2>${t.html('start.heading')}</h2>
${toolsAddress(t, options, application)}
${copyField(t, 'client_id', 'form.clientId', application.clientId)}
${connectionSteps(t, options, application)}</section>`;
}

function toolsAddress(
  t: FormTranslator,
  options: ApplicationPageRequest,
  { audience, signIn }: Application,
): Html | undefined {
  if (signIn) return undefined;
  const endpoint = endpointFor(options.endpoints, audience);
  if (!endpoint) return undefined;
  return copyField(t, 'address', `assistants.address.${endpoint.audience}`, addressOf(options.context.site, endpoint));
}

/** What an engineer enters into the sign-in client, and the settings of the most common ones. */
function signInSteps(t: FormTranslator, options: ApplicationPageRequest, application: Application): Html {
  const { site } = options.context;
  const { signIn, clientId, redirectUris, confidential } = application;
  const algorithm = signedFor(options.idTokenAlgorithms(site), signIn);
  const methods = confidential
    ? [...(signIn?.basic === true ? ['client_secret_basic'] : []), 'client_secret_post']
    : [];
  const values = { issuer: site.origin, clientId, redirectUri: redirectUris[0] ?? '', algorithm };
  const recipes = recipesFor(application, values);
  return html`<p>${t.html('start.signIn.text')}</p>
${copyField(t, 'issuer', 'start.issuer', site.origin)}
<details${recipes.some(({ isUsed }) => isUsed) && html` open`}><summary>${t.html('start.signIn')}</summary><h3>${t.html('start.signIn.boxes')}</h3>
<dl class="facts">
${address(t.html('start.discovery'), `${site.origin}${paths.openidConfiguration}`)}
${address(t.html('start.signIn.scopes'), application.scopes.join(' '))}
${fact(t.html('start.signIn.pkce'), t.html('start.signIn.pkce.value'))}
${methods.length > 0 && address(t.html('start.signIn.method'), methods.join(', '))}
${algorithm !== undefined && address(t.html('start.signIn.algorithm'), algorithm)}
</dl>
<h3>${t.html('start.examples')}</h3>
${hasSecret(application) && html`<p>${t.html('start.signIn.secret')}</p>`}
${recipes.map((recipe) => sample(t, recipe))}</details>`;
}

/** Browsers open one of them at a time, because they have one name. */
function sample(t: FormTranslator, { id, name, text, isUsed, signOut }: RecipeText): Html {
  const signOutName = t.text('pair', { name, value: t.text('start.signIn.signOut') });
  return html`<details name="sample"${isUsed && html` open`}><summary>${name}</summary>
${copyText(t, `settings-${id}`, name, text, 'hidden')}${signOut !== undefined && copyText(t, `sign-out-${id}`, signOutName, signOut)}</details>`;
}

/** What is finished for its app first, then the values for apps that nobody knows. */
function connectionSteps(
  t: FormTranslator,
  options: ApplicationPageRequest,
  application: Application,
  secret?: string,
): Html {
  if (application.signIn) return signInSteps(t, options, application);
  const { site } = options.context;
  const { origin } = site;
  const { checkPath } = options;
  const isService = application.audience === 'service';
  const endpoint = endpointFor(options.endpoints, application.audience);
  const app = appWithCallback(application.redirectUris);
  const target = endpoint && { origin, address: addressOf(site, endpoint), client: { ...application, secret } };
  return html`${app && html`<h3>${knownApp(app.id).name}</h3>${target && setUpSteps(t, app.id, target)}`}
${endpoint && checkPath !== undefined && html`<p><a class="button small" href="${checkPath}?client=${application.clientId}"${secret !== undefined && html` target="_blank"`}>${t.html('check.link')}</a></p>`}
<details><summary>${t.html('start.values')}</summary><p>${t.html('start.text')}</p>
${copyField(t, 'issuer', 'start.issuer', origin)}
<dl class="facts">
${address(t.html('start.discovery'), `${origin}${paths.openidConfiguration}`)}
${!isService && address(t.html('start.authorize'), `${origin}${paths.authorize}`)}
${address(t.html('start.token'), `${origin}${paths.token}`)}
</dl>
<h3>${t.html('start.examples')}</h3>
<p>${t.html(inPlaceOfSecret(t, application)?.examples ?? (isService ? 'start.examples.service' : 'start.examples.text'))}${hasSecret(application) && html` ${t.html('start.examples.secret')}`}</p>
${examplesFor(site, application, options.enabled.known).map(({ id, name, code }) => copyText(t, `example-${id}`, name, code))}</details>`;
}

function address(name: Html, value: string): Html {
  return fact(name, html`<code dir="ltr">${value}</code>`);
}

interface IssuedView {
  /** Absent for an application without one, and if it was shown before. */
  readonly secret: string | undefined;
  /** Whether this is the one time that the credentials are shown. */
  readonly isShown: boolean;
  readonly isNew: boolean;
  /** The one before, if it is still valid. */
  readonly previous: ApplicationSecret | undefined;
}

/** The only page that shows a secret, once: a reload says that the application exists and offers a new one. */
export function secretPage(
  options: ApplicationPageRequest,
  application: Application,
  { secret, isShown, isNew, previous }: IssuedView,
): PageBuilder {
  const { context } = options;
  const { clientId, clientName: client } = application;
  const isSecret = hasSecret(application);
  const said = (t: FormTranslator): TextKey =>
    isSecret ? 'secret.warning' : (inPlaceOfSecret(t, application)?.issued ?? 'secret.public');
  const pagePath = `${context.path}/${clientId}`;
  return memberPage(context, {
    title: !isShown ? 'secret.title.gone' : isNew ? 'secret.title.new' : 'secret.title.rotated',
    values: { client },
    wide: true,
    once: isShown,
    script: copyScriptPath,
    body: (t) => html`
${isShown && html`<div role="status">${notice(isSecret ? 'warn' : 'good', t.html(said(t)))}</div>`}
${previous?.validUntil !== undefined && html`<p>${oldSecret(t, previous.validUntil)}</p>`}
${!isShown && html`${notice('warn', t.html('secret.gone'))}<p><a class="button small" href="${pagePath}?confirm=rotate">${t.html('secret.rotate')}</a></p>`}
${toolsAddress(t, options, application)}
${copyField(t, 'client_id', 'form.clientId', clientId)}
${secret !== undefined && copyField(t, 'client_secret', 'secret.secret', secret)}
${isNew && html`<section><h2>${t.html('start.title')}</h2>${connectionSteps(t, options, application, secret)}</section>`}
<div class="actions"><a class="button primary small" href="${pagePath}">${t.html(isShown ? 'secret.done' : 'conflict.secret.look')}</a></div>`,
  });
}
