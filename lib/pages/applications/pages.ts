import type { Application, IssuedSecret } from '../../contracts/application.ts';
import type { ClientAudience } from '../../contracts/client.ts';
import { html, type Html } from '../kit/html.ts';
import { hiddenFields, memberPage, type MemberPageContext, statusMessage } from '../kit/member-page.ts';
import type { PageBuilder } from '../kit/pages.ts';
import { isolated, type Translator } from '../kit/translator.ts';
import { conflictSummary } from './conflict.ts';
import { formFields, type FormProblem, type FormValues, formValuesOf, problemSummary } from './form.ts';

/** `removed` is how many connections ended when the previous request removed an application. */
export function listPage(
  context: MemberPageContext,
  applications: readonly Application[],
  removed?: number,
): PageBuilder {
  return memberPage(context, {
    title: 'applications.title',
    wide: true,
    body: (t) => html`
${statusMessage(t, removed === undefined ? undefined : 'applications.removed', { count: removed ?? 0 })}
<p>${t.html('applications.intro', { school: context.site.name })}</p>
<div class="columns">${newLink(t, context, 'member')}${newLink(t, context, 'operator')}</div>
${applications.length === 0 ? html`<p class="soft">${t.text('applications.none')}</p>` : html`<ul class="cards">${applications.map((application) => card(t, context.path, application))}</ul>`}`,
  });
}

function newLink(t: Translator, { path, site }: MemberPageContext, audience: ClientAudience): Html {
  return html`<div>
<p class="soft" id="about-${audience}">${t.html(`applications.about.${audience}`, { school: site.name })}</p>
<p><a class="button small" href="${newPath(path, audience)}" aria-describedby="about-${audience}">${t.text(`applications.new.${audience}`)}</a></p>
</div>`;
}

function newPath(path: string, audience: ClientAudience): string {
  return `${path}/new?audience=${audience}`;
}

function card(t: Translator, path: string, application: Application): Html {
  const { clientId, clientName, createdAt } = application;
  return html`<li>
<h2><a href="${path}/${clientId}">${isolated(clientName)}</a> ${badges(t, application)}</h2>
<p class="soft">${t.text('form.clientId')} <code>${clientId}</code><br>${t.html('applications.created', { date: t.date(createdAt) })}</p>
</li>`;
}

function badges(t: Translator, { audience, confidential }: Application): Html {
  const kind = t.text(confidential ? 'applications.confidential' : 'applications.public');
  return html`<span class="badge">${t.text(`applications.audience.${audience}`)}</span> <span class="badge">${kind}</span>`;
}

export function newPage(context: MemberPageContext, values: FormValues, problems: readonly FormProblem[]): PageBuilder {
  const { audience } = values;
  return memberPage(context, {
    title: `applications.new.${audience}`,
    wide: true,
    status: problems.length > 0 ? 400 : 200,
    body: (t) => html`
${problemSummary(t, problems)}
<p>${t.html(`applications.about.${audience}`, { school: context.site.name })}</p>
<form method="post" action="${newPath(context.path, audience)}" novalidate>
${hiddenFields(context)}
${formFields(t, values, problems)}
<div class="actions"><button class="primary" type="submit">${t.text('form.create')}</button><a class="button" href="${context.path}">${t.text('form.cancel')}</a></div>
</form>`,
  });
}

interface EditView {
  readonly values: FormValues;
  readonly problems: readonly FormProblem[];
  readonly application: Application;
  readonly connections: number;
  readonly saved?: boolean;
  /** The version that the person has seen. @default that of the application */
  readonly seen?: string;
  /** Another operator has saved another version since the person opened the page. */
  readonly conflict?: boolean;
}

export function editPage(context: MemberPageContext, view: EditView): PageBuilder {
  const { application, values, problems, connections, saved = false, conflict = false } = view;
  const { seen = application.version } = view;
  const { audience, clientId, clientName, confidential } = application;
  const here = `${context.path}/${clientId}`;
  return memberPage(context, {
    title: 'form.edit.title',
    values: { client: clientName },
    wide: true,
    status: conflict ? 409 : problems.length > 0 ? 400 : 200,
    script: copyScriptPath(context.path),
    body: (t) => html`
${statusMessage(t, saved ? 'applications.saved' : undefined)}
${conflict && conflictSummary(t, formValuesOf(application), values)}
${problemSummary(t, problems)}
<p><a href="${context.path}">${t.text('applications.back')}</a></p>
<p>${badges(t, application)}</p>
<p>${t.html(`applications.about.${audience}`, { school: context.site.name })}</p>
${copyField(t, 'client_id', t.text('form.clientId'), clientId)}
<form method="post" action="${here}" novalidate>
${hiddenFields(context, { action: 'save', version: seen })}
${formFields(t, values, problems, 'form.scopes.warning')}
<div class="actions"><button class="primary" type="submit">${t.text('form.save')}</button><a class="button" href="${context.path}">${t.text('form.cancel')}</a></div>
</form>
${confidential && html`<section><h2>${t.text('secret.secret')}</h2><p>${t.text('secret.rotate.text')}</p><p><a class="button small" href="${here}?confirm=rotate">${t.text('secret.rotate')}</a></p></section>`}
<section><h2>${t.text('remove.button')}</h2><p>${t.html('remove.people', { count: connections })}</p><p><a class="button danger small" href="${here}?confirm=remove">${t.text('remove.button')}</a></p></section>`,
  });
}

/** The only page that shows a secret. */
export function secretPage(context: MemberPageContext, issued: IssuedSecret, isNew: boolean): PageBuilder {
  const { application, clientSecret } = issued;
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

/** A read-only value. The script below adds a button to copy it. */
function copyField(t: Translator, id: string, name: string, value: string): Html {
  return html`<div class="field"><label for="${id}">${name}</label>
<div class="copy"><input type="text" id="${id}" value="${value}" readonly dir="ltr" autocomplete="off" spellcheck="false">
<button type="button" hidden data-copy="${id}" data-copied="${t.text('secret.copied')}" aria-label="${t.text('secret.copy')}: ${name}">${t.text('secret.copy')}</button><span class="soft" role="status" id="${id}-copied"></span></div></div>`;
}

export function copyScriptPath(path: string): string {
  return `${path}/copy.js`;
}

/** Reveals the copy buttons. Without it, members select the text in the fields. */
export const copyScript = `for (const button of document.querySelectorAll('button[data-copy]')) {
  if (!navigator.clipboard) break;
  const field = document.getElementById(button.dataset.copy);
  const status = document.getElementById(button.dataset.copy + '-copied');
  button.hidden = false;
  button.addEventListener('click', async () => {
    field.select();
    await navigator.clipboard.writeText(field.value);
    status.textContent = button.dataset.copied;
    setTimeout(() => (status.textContent = ''), 4000);
  });
}
`;
