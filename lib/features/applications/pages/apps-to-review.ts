import type { ShownVersion } from '../../../core/access/app-review.ts';
import type { RequestGroup } from '../../../core/applications/request.ts';
import { html, type Html, type Translator } from '../../../pages/kit/markup.ts';
import { reviewRow, reviewsPath } from '../../../pages/kit/review-row.ts';
import { rowList } from '../../../pages/kit/row-link.ts';
import type { ApplicationPageRequest } from './page-request.ts';

/** Apps to review beside what people ask for; the list of all of them is among the apps. */
const maxShown = 20;

/** What waits for an administrator although nobody has asked. */
export interface AppsToReview {
  readonly shown: readonly ShownVersion[];
  readonly total: number;
  /** Where they are reviewed. */
  readonly appsPath: string;
}

/** The apps that wait for a review, the latest first; nothing where the school has no page of them. */
export async function appsToReview({
  documents,
  connectionsPath: appsPath,
  context,
}: ApplicationPageRequest): Promise<AppsToReview | undefined> {
  if (appsPath === undefined) return undefined;
  const shown = await documents.list(context.site, { waiting: true, size: maxShown });
  return shown.total === 0 ? undefined : { shown, total: shown.total, appsPath };
}

/** Whether people ask for an app that has changed since it was approved. */
export function isChanged({ requests }: RequestGroup, waiting: AppsToReview | undefined): boolean {
  const changed = waiting?.shown.filter(({ status }) => status === 'changed') ?? [];
  return changed.some(({ clientId }) => requests.some(({ connects }) => connects === clientId));
}

/** The apps to review, without those that people ask for: these have a row already. */
export function reviewSection(
  t: Translator,
  { shown, total, appsPath }: AppsToReview,
  groups: readonly RequestGroup[],
): Html | false {
  const asked = new Set(groups.flatMap(({ requests }) => requests.map(({ connects }) => connects)));
  const rows = shown.filter(({ clientId }) => !asked.has(clientId));
  return (
    rows.length > 0 &&
    html`<section><h2>${t.html('school.review.title')}</h2>
<p class="soft">${t.html('school.review.intro')}</p>
${rowList(rows.map((each) => reviewRow(t, appsPath, each)))}
${total > shown.length && html`<p><a href="${reviewsPath(appsPath)}">${t.html('school.review', { count: total })}</a></p>`}</section>`
  );
}
