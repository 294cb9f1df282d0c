import type { AppStatus } from '../../../core/clients/client-status.ts';
import type { ListPage } from '../../../core/clients/listed-client.ts';
import type { ShownVersion, ReviewStatus } from '../../../core/access/app-review.ts';
import { targetPath } from '../../../pages/kit/console.ts';
import { listingIn, listPages } from '../../../pages/kit/lists.ts';
import { statusMark } from '../../../pages/kit/status.ts';
import { backLink } from '../../../pages/kit/app-header.ts';
import { html, type Html, isolated, shortName, type Translator } from '../../../pages/kit/markup.ts';
import { memberPage, type MemberPageContext } from '../../../pages/kit/member-page.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import { rowLink, rowList } from '../../../pages/kit/row-link.ts';
import { appTile } from '../../../pages/kit/tile.ts';

export type ReviewPart = 'waiting' | 'decided';

/** The metadata documents that operators were shown. */
export function reviewsPage(context: MemberPageContext, part: ReviewPart, list: ListPage<ShownVersion>): PageBuilder {
  const { path } = context;
  const listing = { ...listingIn({}, { path }), chosen: { review: part } };
  return memberPage(context, {
    title: part === 'waiting' ? 'school.review.title' : 'school.review.decided',
    wide: true,
    header: (t, heading) => html`${backToApps(t, path)}${heading}`,
    body: (t) => html`
${part === 'waiting' && html`<p>${t.html('school.review.intro')}</p>`}
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
    tile: appTile({ source: 'document' }, 'small'),
    name: isolated(shortName(clientName ?? host)),
    hint: html`${t.html('apps.origin.document', { host })} · ${t.html('pair', { name: t.html('review.seen'), value: t.nearDate(seenAt) })}${status === 'changed' && html` · ${t.html('review.status.changed')}`}`,
    status: statusMark(t, documentStatus[status]),
  });
}

/** What the decision on a version makes of a document, in one word. */
export const documentStatus: Readonly<Record<ReviewStatus, AppStatus>> = {
  unreviewed: 'view_only',
  changed: 'view_only',
  approved: 'allowed',
  rejected: 'blocked',
};
