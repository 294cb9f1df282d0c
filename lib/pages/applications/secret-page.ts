import type { Application } from '../../contracts/application.ts';
import { html } from '../kit/html.ts';
import { memberPage, type MemberPageContext } from '../kit/member-page.ts';
import type { PageBuilder } from '../kit/pages.ts';
import { copyField, copyScriptPath } from './copy.ts';
import { connectionValues } from './next-steps.ts';

interface IssuedView {
  /** Absent for an application without one, and if it was shown before. */
  readonly secret: string | undefined;
  /** Whether this is the one time that the credentials are shown. */
  readonly isShown: boolean;
  readonly isNew: boolean;
}

/** The only page that shows a secret, once: a reload says that the application exists and offers a new one. */
export function secretPage(
  context: MemberPageContext,
  application: Application,
  { secret, isShown, isNew }: IssuedView,
): PageBuilder {
  const { clientId, clientName: client, confidential } = application;
  const here = `${context.path}/${clientId}`;
  return memberPage(context, {
    title: !isShown ? 'secret.title.gone' : isNew ? 'secret.title.new' : 'secret.title.rotated',
    values: { client },
    wide: true,
    script: copyScriptPath(context.path),
    body: (t) => html`
${isShown && html`<p class="notice${!confidential && html` good`}" role="status">${t.html(confidential ? 'secret.warning' : 'secret.public')}</p>`}
${!isShown && html`<p class="notice">${t.html('secret.gone')}</p><p><a class="button small" href="${here}?confirm=rotate">${t.html('secret.rotate')}</a></p>`}
${copyField(t, 'client_id', 'form.clientId', clientId)}
${secret !== undefined && copyField(t, 'client_secret', 'secret.secret', secret)}
<div class="actions"><a class="button primary small" href="${here}">${t.html(isShown ? 'secret.done' : 'conflict.secret.look')}</a></div>
${isNew && html`<section><h2>${t.html('start.title')}</h2>${connectionValues(t, context, application)}</section>`}`,
  });
}
