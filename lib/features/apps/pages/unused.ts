import type { ClientRow } from '../../../core/access/client-rows.ts';
import type { Connections } from '../../../core/connections/connection.ts';
import type { ListQuery } from '../../../core/clients/listed-client.ts';
import type { Site } from '../../../host/school-platform.ts';
import { field, type Form } from '../../../http/body.ts';
import { noticeOf, noticeQuery } from '../../../pages/kit/csrf-tokens.ts';
import { listAddress, type Listing, unusedDays } from '../../../pages/kit/lists.ts';
import type { Html, Translator } from '../../../pages/kit/markup.ts';
import { confirmPage } from '../../../pages/kit/member-page.ts';
import { statusMessage } from '../../../pages/kit/notice.ts';
import { actOnClient, type MemberPageRequest, type MemberPagesOptions } from '../../../pages/kit/page-access.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';

export interface UnusedOptions extends MemberPagesOptions {
  readonly connections: Connections;
  readonly clientRows: (site: Site, query: ListQuery) => Promise<ClientRow[]>;
}

type UnusedRequest = UnusedOptions & MemberPageRequest;

/** What one request ends: so many apps, or fewer if they have more people. The next request does the rest. */
const atOnce = { apps: 50, people: 500 };

/** The unused apps of a list that people are still connected to. */
async function unusedOf({ clientRows, context }: UnusedRequest, { query }: Listing): Promise<ClientRow[]> {
  const rows = await clientRows(context.site, { ...query, unusedDays });
  return rows.filter(({ people }) => people > 0);
}

/** Asks before unused apps are disconnected, and again while some are left; nothing if none are. */
export async function confirmUnused(request: UnusedRequest, listing: Listing): Promise<PageBuilder | undefined> {
  const rows = await unusedOf(request, listing);
  if (rows.length === 0) return undefined;
  const people = rows.reduce((sum, row) => sum + row.people, 0);
  const before = noticeOf(request, ['ended', 'of']);
  return confirmPage(request.context, 'unused.confirm', {
    values: { count: rows.length, people },
    button: before ? 'unused.continue' : 'unused.end',
    action: 'end-unused',
    fields: { ended: before?.ended ?? '0' },
    page: listAddress(listing),
    done: (t) => unusedDone(t, before),
  });
}

/** What the previous request did. */
export function unusedDone(t: Translator, notice: Readonly<Record<'ended' | 'of', string>> | undefined): Html | false {
  if (!notice) return false;
  return statusMessage(t, 'unused.done', { ended: Number(notice.ended), count: Number(notice.of) });
}

/** Disconnects some of them, and leads to what is left. Each is an audit event of its own. */
export async function endUnused(request: UnusedRequest, form: Form, listing: Listing): Promise<string> {
  const { connections, context } = request;
  const rows = await unusedOf(request, listing);
  const before = /^\d{1,6}$/.test(field(form, 'ended') ?? '') ? Number(field(form, 'ended')) : 0;
  let [ended, people] = [0, 0];
  for (const row of rows.slice(0, atOnce.apps)) {
    const { clientId, people: ofClient } = row;
    if (ended > 0 && people + ofClient > atOnce.people) break;
    try {
      actOnClient(row);
      await connections.end(context.site, { app: { clientId } });
    } catch (error) {
      // The fault is reported. What was done before it is done.
      if (ended === 0) throw error;
      break;
    }
    ended += 1;
    people += ofClient;
  }
  const counts = { ended: String(before + ended), of: String(before + rows.length) };
  const isLeft = ended < rows.length;
  return listAddress(listing, { ...(isLeft && { confirm: 'unused' }), ...noticeQuery(request, counts) });
}
