import type { ListPage } from '../../../core/clients/listed-client.ts';
import type { ListedProgram } from '../../../core/decisions/program-rule.ts';
import type { TextKey } from '../../../i18n/texts.ts';
import { programsPath, targetPath } from '../../../pages/kit/console.ts';
import { listHead, type Listing, listPages } from '../../../pages/kit/lists.ts';
import { statusMark, statusNote } from '../../../pages/kit/marks.ts';
import { html, isolated, shortName } from '../../../pages/kit/markup.ts';
import { memberPage, type MemberPageContext, statusMessage } from '../../../pages/kit/member-page.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import { decisionSection } from './decision-form.ts';
import { type DecisionView, targetOf } from './decision-view.ts';

/** All programs and clients that a rule can be for. */
export function rulesPage(context: MemberPageContext, listing: Listing, list: ListPage<ListedProgram>): PageBuilder {
  const { path, site } = context;
  return memberPage(context, {
    title: 'rule.list',
    values: { school: site.name },
    wide: true,
    body: (t) => html`
<p>${t.html('rule.list.intro', { school: site.name })}</p>
${listHead(t, listing, list)}
<ul class="cards">${list.map(
      (each) => html`<li>
<h2><a href="${targetPath(path, targetOf(each))}">${isolated(shortName(each.clientName))}</a>${statusNote(t, each.status)}</h2>
<p class="soft">${t.html('school.people')}: ${t.html('school.people.count', { count: each.people })}</p>
</li>`,
    )}</ul>
${listPages(t, listing, list)}`,
  });
}

export function programPage(
  context: MemberPageContext,
  view: DecisionView & { readonly done: TextKey | undefined },
): PageBuilder {
  const { listed, done } = view;
  return memberPage(context, {
    title: 'school.client.title',
    values: { client: shortName(listed.clientName), school: context.site.name },
    wide: true,
    body: (t) => html`
${statusMessage(t, done)}
<p><a href="${programsPath(context.path)}">${t.html('rule.list', { school: context.site.name })}</a></p>
<p>${statusMark(t, listed.status)}</p>
<p>${t.html('school.people')}: ${t.html('school.people.count', { count: listed.people })}</p>
${decisionSection(t, context, view)}`,
  });
}

/** Only what is true now: visitors can change an address. */
export function decisionDone(done: unknown, { decided }: Pick<DecisionView, 'decided'>): TextKey | undefined {
  if (done === 'rule' && decided) return 'rule.done';
  if (done === 'person') return 'rule.done.person';
  return done === 'norule' && !decided ? 'rule.done.none' : undefined;
}
