import type { ProgramRequest } from '../../../core/applications/request.ts';
import type { ProgramTarget } from '../../../core/decisions/program-rule.ts';
import { isProgramId } from '../../../core/known-programs/known-programs.ts';
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
import { findKnownApplication } from './known-programs.ts';
import { type ApplicationPageRequest, membersOf } from './page-request.ts';

/** What became of requests, with the person of each, the administrator who decided, and the way to the app. */
export async function decidedRequests(request: ApplicationPageRequest): Promise<PageBuilder> {
  const { requests, path, context, call } = request;
  const { page } = call.ctx.query;
  const listing = { ...listingIn({ page }, { path: requestsPath(path) }), chosen: { status: 'decided' } };
  const [list, { total: all }] = await Promise.all([
    requests.list(context.site, { ...listing.query, status: 'decided' }),
    requests.list(context.site, { size: 1 }),
  ]);
  const [members, apps] = await Promise.all([
    membersOf(
      request,
      list.flatMap(({ memberId, by = [] }) => [memberId, by].flat()),
    ),
    Promise.all(list.map((asked) => appOf(request, asked))),
  ]);
  const nameOf = (id: string): string => {
    const member = members.get(id);
    return member ? personValues(member).name : shortName(id);
  };
  return memberPage(context, {
    title: 'console.requests',
    wide: true,
    body: (t) => html`
${requestTabs(t, request, { open: all - list.total, decided: list.total }, 'decided')}
${list.total > 0 ? html`<p>${t.html('asked.decided.intro')}</p>` : emptyState({ icon: 'inbox', text: t.html('asked.decided.none') })}
${rowList(list.map((asked, i) => row(t, request, asked, { app: apps[i], nameOf })))}
${listPages(t, listing, list)}`,
  });
}

type Tab = 'open' | 'decided';

/** The two lists of requests, with how many are in each. */
export function requestTabs(
  t: Translator,
  { path }: ApplicationPageRequest,
  counts: Readonly<Record<Tab, number>>,
  current: Tab = 'open',
): Html {
  const hrefs = { open: requestsPath(path), decided: `${requestsPath(path)}?status=decided` };
  const tab = (name: Tab): Html =>
    html`<li><a href="${hrefs[name]}"${name === current && html` aria-current="page"`}>${t.html(`asked.tab.${name}`)} <span>${counts[name]}</span></a></li>`;
  return html`<nav class="tabs" aria-label="${t.text('console.requests')}"><ul>${tab('open')}${tab('decided')}</ul></nav>`;
}

/** Whether only the program itself gets what people allow it. */
export function isOfProgram({ program, redirectUris }: ProgramRequest): boolean {
  return redirectUris.every((uri) => findKnownApplication(program)?.redirectUris.includes(uri));
}

/** A known program at its own addresses has its glyph; nobody can check what another one is. */
export function requestTile(asked: ProgramRequest, size?: TileSize): Html {
  const program = isOfProgram(asked) ? findKnownApplication(asked.program) : undefined;
  return program ? glyphTile(program.id, size) : appTile({ source: 'registered' }, size);
}

/** What has a page among the apps: the application of the request, otherwise what the school decides on. */
async function appOf(
  { applications, programs, connectionsPath, context }: ApplicationPageRequest,
  { clientId, connects, program }: ProgramRequest,
): Promise<ProgramTarget | undefined> {
  const { site } = context;
  if (connectionsPath === undefined) return undefined;
  if (clientId !== undefined && (await applications.find(site, clientId))) return { clientId };
  if (connects !== undefined) {
    const found = await programs.find(site, { clientId: connects });
    if (found.own || found.people > 0) return { clientId: connects };
    if (found.program !== undefined && isProgramId(found.program)) return { program: found.program };
  }
  return isProgramId(program) ? { program } : undefined;
}

interface DecidedRow {
  readonly app: ProgramTarget | undefined;
  readonly nameOf: (id: string) => string;
}

const looks = { open: 'needs_approval', granted: 'allowed', declined: 'blocked' } as const;

function row(
  t: Translator,
  { connectionsPath = '', context }: ApplicationPageRequest,
  asked: ProgramRequest,
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
