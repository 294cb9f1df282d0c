import type { Application, IssuedSecret } from '../../contracts/application.ts';
import { type MemberPageContext, memberPage, hidden, told } from '../kit/member-page.ts';
import { html } from '../kit/html.ts';
import type { PageIn } from '../kit/pages.ts';
import { copyScript } from './copy-script.ts';
import { copyField, formFields, type FormProblem, type FormValues, problemSummary } from './form.ts';

/** What was filled in, and what is wrong with it. */
export interface FormState {
  readonly values: FormValues;
  readonly problems: readonly FormProblem[];
}

/** The form for a new application. */
export function newPage(desk: MemberPageContext, { values, problems }: FormState): PageIn {
  return memberPage(desk, {
    title: 'applications.new',
    wide: true,
    status: problems.length > 0 ? 400 : 200,
    body: (say) => html`
${problemSummary(say, problems)}
<form method="post" action="${desk.path}/new" novalidate>
${hidden(desk)}
${formFields(say, values, problems)}
<div class="actions"><button class="primary" type="submit">${say.text('form.create')}</button><a class="button" href="${desk.path}">${say.text('form.cancel')}</a></div>
</form>`,
  });
}

/** What the page of one application shows. */
export interface EditView extends FormState {
  readonly application: Application;
  /** How many people are connected to it. */
  readonly connections: number;
  /** Whether it was saved a moment ago. */
  readonly saved: boolean;
}

/** The page of one application. */
export function editPage(
  desk: MemberPageContext,
  { application, values, problems, connections, saved }: EditView,
): PageIn {
  const { clientId, clientName, confidential } = application;
  const here = `${desk.path}/${clientId}`;
  return memberPage(desk, {
    title: 'form.edit.title',
    values: { client: clientName },
    wide: true,
    status: problems.length > 0 ? 400 : 200,
    script: copyScript(desk.path),
    body: (say) => html`
${told(say, saved ? 'applications.saved' : undefined)}
${problemSummary(say, problems)}
<p><a href="${desk.path}">${say.text('applications.back')}</a></p>
${copyField(say, 'client_id', say.text('form.clientId'), clientId)}
<form method="post" action="${here}" novalidate>
${hidden(desk, { action: 'save' })}
${formFields(say, values, problems, 'form.scopes.warning')}
<div class="actions"><button class="primary" type="submit">${say.text('form.save')}</button><a class="button" href="${desk.path}">${say.text('form.cancel')}</a></div>
</form>
${confidential && html`<section><h2>${say.text('secret.secret')}</h2><p>${say.text('secret.rotate.text')}</p><p><a class="button small" href="${here}?confirm=rotate">${say.text('secret.rotate')}</a></p></section>`}
<section><h2>${say.text('remove.button')}</h2><p>${say.html('remove.people', { count: connections })}</p><p><a class="button danger small" href="${here}?confirm=remove">${say.text('remove.button')}</a></p></section>`,
  });
}

/** The one page that shows a secret. */
export function secretPage(
  desk: MemberPageContext,
  { application, clientSecret }: IssuedSecret,
  isNew: boolean,
): PageIn {
  const { clientId, clientName } = application;
  return memberPage(desk, {
    title: isNew ? 'secret.title.new' : 'secret.title.rotated',
    values: { client: clientName },
    script: copyScript(desk.path),
    body: (say) => html`
<p class="notice${clientSecret === undefined && html` good`}" role="status">${say.text(clientSecret === undefined ? 'secret.public' : 'secret.warning')}</p>
${copyField(say, 'client_id', say.text('form.clientId'), clientId)}
${clientSecret !== undefined && copyField(say, 'client_secret', say.text('secret.secret'), clientSecret)}
<div class="actions"><a class="button primary" href="${desk.path}/${clientId}">${say.text('secret.done')}</a></div>`,
  });
}
