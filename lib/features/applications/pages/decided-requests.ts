import type { AppRequest } from '../../../core/applications/request.ts';
import type { AppTarget } from '../../../core/access/app-rule.ts';
import { isKnownAppId } from '../../../core/known-apps/known-apps.ts';
import { requestsPath, targetPath } from '../../../pages/kit/console.ts';
import { emptyState } from '../../../pages/kit/empty-state.ts';
import { listingIn, listPages } from '../../../pages/kit/lists.ts';
import { html, type Html, isolated, shortName, type Translator } from '../../../pages/kit/markup.ts';
import { memberPage } from '../../../pages/kit/member-page.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import { personValues } from '../../../pages/kit/person.ts';
import { plainRow, rowLink, rowList } from '../../../pages/kit/row-link.ts';
import { stateMark } from '../../../pages/kit/status.ts';
import { appTile, glyphTile, type TileSize } from '../../../pages/kit/tile.ts';
import { findKnownApplication } from './known-apps.ts';
import { type ApplicationPageRequest, membersOf } from './page-request.ts';

/** What became of requests, with the person of each, the administrator who decided, and the way to the app. */
export async function decidedRequests(request: ApplicationPageRequest): Promise<PageBuilder> {
  const { requests, path, context, call } = request;
  const { page } = call.ctx.query;
  const listing = { ...listingIn({ page }, { path: requestsPath(path) }), chosen: { status: 'decided' } };
  const [list, open] = await Promise.all([
    requests.list(context.site, { ...listing.query, status: 'decided' }),
    requests.openGroups(context.site),
  ]);
  const people = open.reduce((sum, group) => sum + group.requests.length, 0);
  const [members, apps] = await Promise.all([
    membersOf(
      request,
      list.flatMap(({ memberId, by = [] }) => [memberId, by].flat()),
    ),
    Promise.all(list.map((asked) => appKey(request, asked))),
  ]);
  const nameOf = (id: string): string => {
    const member = members.get(id);
    return member ? personValues(member).name : shortName(id);
  };
  return memberPage(context, {
    title: 'console.requests',
    wide: true,
    body: (t) => html`
${requestTabs(t, request, { open: { apps: open.length, people }, decided: list.total }, 'decided')}
${list.total > 0 ? html`<p>${t.html('asked.decided.intro')}</p>` : emptyState({ icon: 'inbox', text: t.html('asked.decided.none') })}
${rowList(list.map((asked, i) => row(t, request, asked, { app: apps[i], nameOf })))}
${listPages(t, listing, list)}`,
  });
}

interface TabCounts {
  readonly open: { readonly apps: number; readonly people: number };
  readonly decided: number;
}

type Tab = keyof TabCounts;

/** The two lists of requests, with how many are in each. */
export function requestTabs(
  t: Translator,
  { path }: ApplicationPageRequest,
  { open, decided }: TabCounts,
  current: Tab = 'open',
): Html {
  const hrefs = { open: requestsPath(path), decided: `${requestsPath(path)}?status=decided` };
  const counts = {
    open: open.people === 0 ? html`0` : t.html('asked.tab.counts', { ...open }),
    decided: html`${decided}`,
  };
  const tab = (name: Tab): Html =>
    html`<li><a href="${hrefs[name]}"${name === current && html` aria-current="page"`}>${t.html(`asked.tab.${name}`)} <span>${counts[name]}</span></a></li>`;
  return html`<nav class="tabs" aria-label="${t.text('console.requests')}"><ul>${tab('open')}${tab('decided')}</ul></nav>`;
}

/** Whether only the app itself gets what people allow it. */
export function isOfApp({ app, redirectUris }: AppRequest): boolean {
  return redirectUris.every((uri) => findKnownApplication(app)?.redirectUris.includes(uri));
}

/** A known app at its own addresses has its glyph; nobody can check what another one is. */
export function requestTile(asked: AppRequest, size?: TileSize): Html {
  const app = isOfApp(asked) ? findKnownApplication(asked.app) : undefined;
  return app ? glyphTile(app.id, size) : appTile({ source: 'registered' }, size);
}

/** What has a page among the apps: the application of the request, otherwise what the school decides on. */
async function appKey(
  { applications, findListed, connectionsPath, context }: ApplicationPageRequest,
  { clientId, connects, app }: AppRequest,
): Promise<AppTarget | undefined> {
  const { site } = context;
  if (connectionsPath === undefined) return undefined;
  if (clientId !== undefined && (await applications.find(site, clientId))) return { clientId };
  if (connects !== undefined) {
    const found = await findListed(site, { clientId: connects });
    if (found.own || found.people > 0) return { clientId: connects };
    if (found.app !== undefined && isKnownAppId(found.app)) return { app: found.app };
  }
  return isKnownAppId(app) ? { app } : undefined;
}

interface DecidedRow {
  readonly app: AppTarget | undefined;
  readonly nameOf: (id: string) => string;
}

const looks = { open: 'needs_approval', granted: 'allowed', declined: 'blocked' } as const;

function row(
  t: Translator,
  { connectionsPath = '', context }: ApplicationPageRequest,
  asked: AppRequest,
  { app, nameOf }: DecidedRow,
): Html {
  const { status, clientName, memberId, at, by, answer = '' } = asked;
  const names = { client: shortName(clientName), name: nameOf(memberId) };
  const date = t.nearDate(at);
  const who =
    by === undefined
      ? t.html('asked.decided.on', { date })
      : by === context.member.id
        ? t.html('asked.decided.you', { date })
        : t.html('asked.decided.by', { name: nameOf(by), date });
  const parts = {
    tile: requestTile(asked, 'small'),
    name: t.html('asked.decided.for', names),
    hint: html`${who}${answer !== '' && html` · ${isolated(answer)}`}`,
    status: stateMark(looks[status], t.html(`asked.outcome.${status === 'granted' ? status : 'declined'}`)),
  };
  return app ? rowLink(targetPath(connectionsPath, app), parts) : plainRow(parts);
}
