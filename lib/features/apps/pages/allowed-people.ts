import type { ListedApp } from '../../../core/apps/apps.ts';
import type { AppTarget } from '../../../core/access/app-rule.ts';
import { targetPath } from '../../../pages/kit/console.ts';
import { icon } from '../../../pages/kit/icons.ts';
import { html, type Html, isolated, shortName, type Translator } from '../../../pages/kit/markup.ts';
import { hiddenFields, type MemberPageContext } from '../../../pages/kit/member-page.ts';
import { plainRow, rowList } from '../../../pages/kit/row-link.ts';
import { type AllowedPeople, targetFields } from './decision-view.ts';

/** Those for whom the school has decided one by one, each with a button that takes it back. */
export function allowedPeople(
  t: Translator,
  context: MemberPageContext,
  target: AppTarget,
  { people: { all, total }, listed: { rule } }: { readonly people: AllowedPeople; readonly listed: ListedApp },
): Html {
  const path = targetPath(context.path, target);
  const isBlocked = rule.access === 'blocked';
  return html`<section aria-labelledby="allowed"><h2 id="allowed">${t.html(isBlocked ? 'rule.people.before' : 'rule.people', { count: total })}</h2>
<p>${t.html(isBlocked ? 'rule.people.before.text' : 'rule.people.text')}</p>
${rowList(
  all.map(({ memberId, version, name, at, by }, i) => {
    const fields = { action: 'reset-person', ...targetFields(target), member: memberId, version };
    const date = t.nearDate(at);
    const who = name === undefined ? t.html('rule.people.gone') : isolated(shortName(name));
    const decided =
      by === undefined ? t.html('rule.decided', { date }) : t.html('rule.decided.by', { name: shortName(by), date });
    return plainRow(
      { tile: icon('person'), name: html`<span id="person-${i}">${who}</span>`, hint: decided },
      html`<form method="post" action="${path}">${hiddenFields(context, fields)}<button type="submit" aria-describedby="person-${i}">${t.html('rule.people.reset')}</button></form>`,
    );
  }),
)}
${total > all.length && html`<p class="soft">${t.html('rule.people.more', { count: total - all.length })}</p>`}</section>`;
}
