import type { ListPage } from '../../../core/clients/listed-client.ts';
import type { ShownVersion } from '../../../core/access/app-review.ts';
import { targetPath } from '../../../pages/kit/console.ts';
import { listingIn, listPages } from '../../../pages/kit/lists.ts';
import { statusMark } from '../../../pages/kit/status.ts';
import { backLink } from '../../../pages/kit/app-header.ts';
import { html, type Html, isolated, shortName, type Translator } from '../../../pages/kit/markup.ts';
import { memberPage, type MemberPageContext } from '../../../pages/kit/member-page.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import { rowLink, rowList } from '../../../pages/kit/row-link.ts';
import { appTile } from '../../../pages/kit/tile.ts';

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
${list.length === 0 ? html`<p class="soft">${t.html('school.review.none')}</p>` : rowList(list.map((document) => row(t, path, document)))}
${listPages(t, listing, list)}`,
  });
}

export function backToApps(t: Translator, path: string): Html {
  return backLink(path, t.html('console.apps'));
}

function row(t: Translator, path: string, { clientId, clientName, status, seenAt }: ShownVersion): Html {
  const host = URL.parse(clientId)?.host ?? clientId;
  return rowLink(targetPath(path, { clientId }), {
    tile: appTile({ source: 'document', clientName: clientName ?? host }, 'small'),
    name: isolated(shortName(clientName ?? host)),
    hint: html`${t.html('apps.origin.document', { host })} · ${t.html('pair', { name: t.html('review.seen'), value: t.nearDate(seenAt) })}${status === 'changed' && html` · ${t.html('review.status.changed')}`}`,
    status: statusMark(t, 'view_only'),
  });
}
