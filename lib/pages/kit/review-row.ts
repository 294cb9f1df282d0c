import type { ShownVersion } from '../../core/access/app-review.ts';
import { targetPath } from './console.ts';
import { html, type Html, isolated, shortName, type Translator } from './markup.ts';
import { rowLink } from './row-link.ts';
import { statusMark } from './status.ts';
import { appTile } from './tile.ts';

/** An app that waits for a review, with the way to its page. */
export function reviewRow(
  t: Translator,
  appsPath: string,
  { clientId, clientName, status, seenAt }: ShownVersion,
): Html {
  const host = URL.parse(clientId)?.host ?? clientId;
  return rowLink(targetPath(appsPath, { clientId }), {
    tile: appTile({ source: 'document', clientName: clientName ?? host }, 'small'),
    name: isolated(shortName(clientName ?? host)),
    hint: html`${t.html('apps.origin.document', { host })} · ${t.html('pair', { name: t.html('review.seen'), value: t.nearDate(seenAt) })}${status === 'changed' && html` · ${t.html('review.status.changed')}`}`,
    status: statusMark(t, 'view_only'),
  });
}

/** Where an administrator sees all of them. */
export function reviewsPath(appsPath: string): string {
  return `${appsPath}?review=waiting`;
}
