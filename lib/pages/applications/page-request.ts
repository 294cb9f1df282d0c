import type { Applications } from '../../clients/applications.ts';
import type { Store } from '../../contracts/store.ts';
import { field } from '../../http/body.ts';
import type { RouteCall } from '../../contracts/route.ts';
import { digest } from '../../runtime/crypto.ts';
import { messagePage } from '../kit/message-page.ts';
import type { MemberPageRequest, PageAccessOptions } from '../kit/page-access.ts';
import type { PageBuilder } from '../kit/pages.ts';

export interface ApplicationPagesOptions extends PageAccessOptions {
  readonly path: string;
  readonly applications: Applications;
  readonly store: Pick<Store, 'consumeQuota'>;
}

export interface ApplicationPageRequest extends ApplicationPagesOptions, MemberPageRequest {
  readonly call: RouteCall;
}

export type PageResult = PageBuilder | 'redirected';

/** Longer than any CSRF token is valid. */
const rememberedSeconds = 24 * 60 * 60;

/** Runs once for each rendering of a form, however often that form is submitted: a new secret is shown only once. */
export async function preventDoubleSubmit(
  { store, path, context, form }: ApplicationPageRequest,
  run: () => Promise<PageBuilder>,
): Promise<PageBuilder> {
  const name = `form:${digest((form && field(form, 'csrf')) ?? '')}`;
  const retryAfter = await store.consumeQuota(context.site.id, [{ name, limit: 1 }], rememberedSeconds);
  if (retryAfter === undefined) return run();
  const action = { text: 'expired.twice.list', href: path } as const;
  return messagePage({ title: 'expired.title', texts: ['expired.twice'], status: 400, action });
}
