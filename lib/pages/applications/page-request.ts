import type { Applications } from '../../clients/applications.ts';
import type { Store } from '../../contracts/store.ts';
import { digest } from '../../runtime/crypto.ts';
import { field, type Form } from '../../http/body.ts';
import type { RouteCall } from '../../contracts/route.ts';
import type { MemberPageContext } from '../kit/member-page.ts';
import { messagePage } from '../kit/message-page.ts';
import type { PageIn } from '../kit/pages.ts';
import type { VisitorOptions } from '../kit/visitor.ts';

/** What the pages of OAuth applications rest on. */
export interface ApplicationPagesOptions extends VisitorOptions {
  readonly path: string;
  readonly applications: Applications;
  readonly store: Pick<Store, 'consumeQuota'>;
}

/** An operator's visit to one of these pages. */
export interface ApplicationPageRequest {
  readonly desk: MemberPageContext;
  /** Absent for a GET. */
  readonly form: Form | undefined;
  readonly route: RouteCall;
}

/** What the visitor sees next, or that they were sent on. */
export type Next = PageIn | 'sent';

/** Long enough for every form to have expired. */
const remembered = 24 * 60 * 60;

/** Does something once for a form, however often it is sent: what comes of it may be shown only once. */
export async function oncePerForm(
  { store, path }: ApplicationPagesOptions,
  { desk, form }: ApplicationPageRequest,
  run: () => Promise<PageIn>,
): Promise<PageIn> {
  const name = `form:${digest((form && field(form, 'csrf')) ?? '')}`;
  const wait = await store.consumeQuota(desk.site.id, [{ name, limit: 1 }], remembered);
  return wait === undefined ? run() : sentBefore(path);
}

function sentBefore(path: string): PageIn {
  const wayOut = { text: 'expired.twice.list', href: path } as const;
  return messagePage({ title: 'expired.title', texts: ['expired.twice'], status: 400, wayOut });
}
