import { maxText } from '../domain/requests.ts';
import type { RequestGroup } from '../../../core/applications/request.ts';
import { backLink } from '../../../pages/kit/app-header.ts';
import { requestsPath } from '../../../pages/kit/console.ts';
import { html, shortName } from '../../../pages/kit/markup.ts';
import { hiddenFields, memberPage } from '../../../pages/kit/member-page.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import { problem } from '../../../pages/kit/problems.ts';
import type { ApplicationPageRequest } from './page-request.ts';

/** Why an app is declined, which the people who asked read. @param changed - what was entered before the requests changed */
export function declinePage(
  { path, context }: ApplicationPageRequest,
  group: RequestGroup,
  changed?: { readonly answer: string },
): PageBuilder {
  const client = shortName(group.latest.clientName);
  const count = group.requests.length;
  return memberPage(context, {
    title: 'asked.decline.title',
    values: { client },
    wide: true,
    status: changed ? 409 : 200,
    hasProblems: changed !== undefined,
    header: (t, heading) => html`${backLink(requestsPath(path), t.html('console.requests'))}${heading}`,
    body: (t) => html`${
      changed &&
      problem(html`<h2>${t.html('asked.changed.title')}</h2>
<p>${t.html('asked.changed')}</p>`)
    }
<p>${t.html('asked.decline.text', { count })}</p>
<form method="post" action="${requestsPath(path)}">${hiddenFields(context, { action: 'decline', id: group.key, shown: group.version })}
<div class="field"><label for="answer">${t.html('asked.answer', { count })} <span class="soft">${t.html('form.optional')}</span></label>
<input type="text" id="answer" name="answer" value="${changed?.answer ?? ''}" maxlength="${String(maxText)}" autocomplete="off"></div>
<div class="actions"><button class="danger" type="submit">${t.html('asked.decline')}</button><a class="button" href="${requestsPath(path)}">${t.html('form.cancel')}</a></div></form>`,
  });
}
