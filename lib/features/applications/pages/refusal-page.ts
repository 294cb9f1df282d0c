import type { RegistrationExplanation } from '../../../core/clients/registered-metadata.ts';
import { field } from '../../../http/body.ts';
import { backLink } from '../../../pages/kit/app-header.ts';
import { notice, noticeBlock } from '../../../pages/kit/notice.ts';
import { html, type Html, isolated, type Translator } from '../../../pages/kit/markup.ts';
import { hiddenFields, memberPage } from '../../../pages/kit/member-page.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import { newPath } from './software-kind.ts';
import type { ApplicationPageRequest } from './page-request.ts';

/** Asks the registration policies what they would answer to an app. Nothing is saved and no quota is used. */
export async function explainRefusal({ explain, context, form }: ApplicationPageRequest): Promise<PageBuilder> {
  const { path, site } = context;
  const entered = (name: string): string => field(form ?? {}, name) ?? '';
  const [name, redirectUris] = [entered('name'), entered('redirect_uris')];
  const uris = redirectUris.split(/\s+/).filter((uri) => uri !== '');
  const answer = form && (await explain?.(site, { client_name: name.trim(), redirect_uris: uris }));
  return memberPage(context, {
    title: 'refused.title',
    header: (t, heading) => html`${backLink(path, t.html('applications.title'))}${heading}`,
    body: (t) => html`
<p>${t.html(explain ? 'refused.text' : 'refused.off', { school: site.name })}</p>
${answer && answerNotice(t, answer)}
${answer?.outcome === 'refused' && html`<p>${t.html('refused.advice')} <a href="${newPath(path, 'operator')}">${t.html('applications.new.operator')}</a></p>`}
${
  explain
    ? html`<form method="post" action="${path}/refused">
${hiddenFields(context)}
<div class="field"><label for="name">${t.html('refused.name')}</label>
<span class="hint" id="name-hint">${t.html('refused.name.hint')}</span>
<input type="text" id="name" name="name" value="${name}" autocomplete="off" aria-describedby="name-hint"></div>
<div class="field"><label for="redirect_uris">${t.html('form.redirectUris')}</label>
<textarea id="redirect_uris" name="redirect_uris" rows="3" dir="ltr" spellcheck="false">
${redirectUris}</textarea></div>
<div class="actions"><button class="primary" type="submit">${t.html('refused.check')}</button></div>
</form>`
    : html`<p><a class="button" href="${newPath(path, 'operator')}">${t.html('applications.new.operator')}</a></p>`
}`,
  });
}

function answerNotice(t: Translator, { outcome, policy, body }: RegistrationExplanation): Html {
  if (outcome !== 'refused') {
    return html`<div role="status">${notice('good', t.html(outcome === 'known' ? 'refused.yes.known' : 'refused.yes'))}</div>`;
  }
  const { error, error_description: description }: Readonly<Record<string, unknown>> = { ...body };
  const answer = html`<p><strong>${t.html('refused.no')}</strong></p>
<p lang="en" dir="ltr"><code>${String(error)}</code>: ${isolated(String(description))}</p>
${policy !== undefined && html`<p>${t.html('refused.no.policy', { policy })}</p>`}`;
  return html`<div role="status">${noticeBlock('warn', answer)}</div>`;
}
