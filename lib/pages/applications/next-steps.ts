import type { Application } from '../../contracts/application.ts';
import { paths } from '../../protocol/paths.ts';
import { html, type Html } from '../kit/html.ts';
import { memberPage, type MemberPageContext } from '../kit/member-page.ts';
import type { PageBuilder } from '../kit/pages.ts';
import type { Translator } from '../kit/translator.ts';
import { copyField, copyText, copyScriptPath } from './copy.ts';
import { examplesFor } from './examples.ts';
import { programWithCallback, whereToEnter } from './known-programs.ts';

/** How to connect a program with an application; nothing of it is secret. */
export function nextStepsPage(context: MemberPageContext, application: Application): PageBuilder {
  const { clientId, clientName } = application;
  return memberPage(context, {
    title: 'start.heading',
    values: { client: clientName },
    wide: true,
    script: copyScriptPath(context.path),
    body: (t) => html`
<p><a href="${context.path}/${clientId}">${t.html('conflict.secret.look')}</a></p>
${copyField(t, 'client_id', 'form.clientId', clientId)}
${connectionValues(t, context, application)}`,
  });
}

/** The values besides the client id, and the examples. */
export function connectionValues(t: Translator, { site }: MemberPageContext, application: Application): Html {
  const { origin } = site;
  const program = programWithCallback(application.redirectUris);
  return html`${program && html`<p>${whereToEnter(t, program.id)}</p>`}
<p>${t.html('start.text')}</p>
${copyField(t, 'issuer', 'start.issuer', origin)}
<dl class="facts">
${fact(t.html('start.discovery'), `${origin}${paths.openidConfiguration}`)}
${fact(t.html('start.authorize'), `${origin}${paths.authorize}`)}
${fact(t.html('start.token'), `${origin}${paths.token}`)}
</dl>
<section><h2>${t.html('start.examples')}</h2>
<p>${t.html('start.examples.text')}${application.confidential && html` ${t.html('start.examples.secret')}`}</p>
${examplesFor(site, application).map(({ id, name, code }) => copyText(t, `example-${id}`, name, code))}</section>`;
}

function fact(name: Html, value: string): Html {
  return html`<dt>${name}</dt><dd><code dir="ltr">${value}</code></dd>`;
}
