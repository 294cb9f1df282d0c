import type { ListPage } from '../../../core/clients/listed-client.ts';
import type { ShownVersion } from '../../../core/access/app-review.ts';
import { listingIn, listPages } from '../../../pages/kit/lists.ts';
import { backLink } from '../../../pages/kit/app-header.ts';
import { html, type Html, type Translator } from '../../../pages/kit/markup.ts';
import { memberPage, type MemberPageContext } from '../../../pages/kit/member-page.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import { reviewRow } from '../../../pages/kit/review-row.ts';
import { rowList } from '../../../pages/kit/row-link.ts';

/** The clients that wait for a review. */
export function reviewsPage(context: MemberPageContext, list: ListPage<ShownVersion>): PageBuilder {
  const { path } = context;
  const listing = { ...listingIn({}, { path }), chosen: { review: 'waiting' } };
  return memberPage(context, {
    title: 'school.review.title',
    wide: true,
    header: (t, heading) => html`${backToApps(t, path)}${heading}`,
    body: (t) => html`
<p>${t.html('school.review.intro')}</p>
${list.length === 0 ? html`<p class="soft">${t.html('school.review.none')}</p>` : rowList(list.map((document) => reviewRow(t, path, document)))}
${listPages(t, listing, list)}`,
  });
}

export function backToApps(t: Translator, path: string): Html {
  return backLink(path, t.html('console.apps'));
}
