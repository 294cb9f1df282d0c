import type { Application, IssuedSecret } from '../../contracts/application.ts';
import { html } from '../kit/html.ts';
import { hiddenFields, memberPage, type MemberPageContext, statusMessage } from '../kit/member-page.ts';
import type { PageBuilder } from '../kit/pages.ts';
import { copyScriptPath } from './copy-script.ts';
import { copyField, formFields, type FormProblem, type FormValues, problemSummary } from './form.ts';

interface FormState {
  readonly values: FormValues;
  readonly problems: readonly FormProblem[];
}

export function newPage(context: MemberPageContext, { values, problems }: FormState): PageBuilder {
  return memberPage(context, {
    title: 'applications.new',
    wide: true,
    status: problems.length > 0 ? 400 : 200,
    body: (t) => html`
${problemSummary(t, problems)}
<form method="post" action="${context.path}/new" novalidate>
${hiddenFields(context)}
${formFields(t, values, problems)}
<div class="actions"><button class="primary" type="submit">${t.text('form.create')}</button><a class="button" href="${context.path}">${t.text('form.cancel')}</a></div>
</form>`,
  });
}

interface EditView extends FormState {
  readonly application: Application;
  /** How many members are connected to it. */
  readonly connections: number;
  /** Whether the previous request saved it. */
  readonly saved: boolean;
}

export function editPage(
  context: MemberPageContext,
  { application, values, problems, connections, saved }: EditView,
): PageBuilder {
  const { clientId, clientName, confidential } = application;
  const here = `${context.path}/${clientId}`;
  return memberPage(context, {
    title: 'form.edit.title',
    values: { client: clientName },
    wide: true,
    status: problems.length > 0 ? 400 : 200,
    script: copyScriptPath(context.path),
    body: (t) => html`
${statusMessage(t, saved ? 'applications.saved' : undefined)}
${problemSummary(t, problems)}
<p><a href="${context.path}">${t.text('applications.back')}</a></p>
${copyField(t, 'client_id', t.text('form.clientId'), clientId)}
<form method="post" action="${here}" novalidate>
${hiddenFields(context, { action: 'save' })}
${formFields(t, values, problems, 'form.scopes.warning')}
<div class="actions"><button class="primary" type="submit">${t.text('form.save')}</button><a class="button" href="${context.path}">${t.text('form.cancel')}</a></div>
</form>
${confidential && html`<section><h2>${t.text('secret.secret')}</h2><p>${t.text('secret.rotate.text')}</p><p><a class="button small" href="${here}?confirm=rotate">${t.text('secret.rotate')}</a></p></section>`}
<section><h2>${t.text('remove.button')}</h2><p>${t.html('remove.people', { count: connections })}</p><p><a class="button danger small" href="${here}?confirm=remove">${t.text('remove.button')}</a></p></section>`,
  });
}

/** The only page that shows a secret. */
export function secretPage(
  context: MemberPageContext,
  { application, clientSecret }: IssuedSecret,
  isNew: boolean,
): PageBuilder {
  const { clientId, clientName } = application;
  return memberPage(context, {
    title: isNew ? 'secret.title.new' : 'secret.title.rotated',
    values: { client: clientName },
    script: copyScriptPath(context.path),
    body: (t) => html`
<p class="notice${clientSecret === undefined && html` good`}" role="status">${t.text(clientSecret === undefined ? 'secret.public' : 'secret.warning')}</p>
${copyField(t, 'client_id', t.text('form.clientId'), clientId)}
${clientSecret !== undefined && copyField(t, 'client_secret', t.text('secret.secret'), clientSecret)}
<div class="actions"><a class="button primary" href="${context.path}/${clientId}">${t.text('secret.done')}</a></div>`,
  });
}
