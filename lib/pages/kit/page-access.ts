import type { Route, RouteCall } from '../../http/route.ts';
import { field, type Form, readForm } from '../../http/body.ts';
import type { TextKey } from '../../i18n/texts.ts';
import type { MemberLimiter } from '../../core/limits/request-limiters.ts';
import type { DescribedClient } from '../../core/clients/listed-client.ts';
import { currentTrace } from '../../observe/request-trace.ts';
import type { Consoles, PageAudience } from './console.ts';
import type { CsvFile } from './csv.ts';
import type { CsrfTokens } from './csrf-tokens.ts';
import { forbiddenPage, memberMessage } from './error-page.ts';
import type { MemberPageContext } from './member-page.ts';
import { type PageBuilder, type Pages, redirectSeeOther } from './pages.ts';
import type { NewsItem } from '../../core/news/news-item.ts';
import type { Member, Site } from '../../host/school-platform.ts';
import type { HostPlatform } from '../../host/checked-platform.ts';
import type { RoleRights } from '../../core/access/operator-and-admin-roles.ts';
import type { PageName } from './page-template.ts';

/** What all groups of pages for administrators and members share. */
export interface PageKit {
  readonly platform: HostPlatform;
  readonly access: RoleRights;
  readonly csrfTokens: CsrfTokens;
  readonly pages: Pages;
  readonly consoles: Consoles;
  /** How many requests of a school's people nobody has answered: one look-up for each page of an administrator. */
  readonly countRequests: (site: Site) => Promise<number>;
  /** How many apps wait for a review, where that was counted lately: nothing is read. */
  readonly appsToReview: (site: Site) => number | undefined;
  /** What is new for a person. */
  readonly newsOf: (site: Site, member: Member) => Promise<readonly NewsItem[]>;
  readonly limitPages: MemberLimiter;
}

export interface MemberPagesOptions {
  readonly kit: PageKit;
  /** The path under which a group of pages is mounted. */
  readonly path: string;
}

/** A list as a file has all of its entries: it counts as so many pages. */
const pagesOfFile = 20;

export interface MemberPageRequest {
  readonly call: RouteCall;
  readonly context: MemberPageContext;
  /** The submitted form, its CSRF token verified; absent for a GET. */
  readonly form: Form | undefined;
}

export type PageResult = PageBuilder | CsvFile | string;

interface MemberPageKind {
  readonly audience: PageAudience;
  readonly page: PageName;
  /** The text for everyone else. */
  readonly forbidden: TextKey;
}

export function memberRoute<O extends MemberPagesOptions>(
  options: O,
  kind: MemberPageKind,
  under: string,
  handle: (request: O & MemberPageRequest) => PageResult | Promise<PageResult>,
): Route {
  return {
    path: `${options.path}${under}`,
    methods: ['GET', 'POST'],
    kind: 'page',
    async handle(call) {
      const { ctx, site } = call;
      const found = await findRequest(options, kind, call);
      const result = 'context' in found ? await handle({ ...options, ...found }) : found.instead;
      if (typeof result === 'string') redirectSeeOther(ctx, result);
      else if (typeof result === 'function') await options.kit.pages.send(ctx, site, result);
      else await options.kit.pages.sendCsv(ctx, site, result);
    },
  };
}

/** Requires a signed-in member with access to the page and, for a POST, a valid CSRF token. */
async function findRequest(
  { path, kit }: MemberPagesOptions,
  { audience, page, forbidden }: MemberPageKind,
  call: RouteCall,
): Promise<MemberPageRequest | { readonly instead: PageResult }> {
  const { platform, access, csrfTokens, consoles, limitPages, countRequests, appsToReview, newsOf } = kit;
  const { ctx, site } = call;
  // A submitted form is lost during sign-in, so the visitor returns to the page without it.
  const pageUrl = `${site.origin}${ctx.path}${ctx.search}`;
  const signedIn = await platform.signedInMember(ctx, site);
  if (!signedIn) return { instead: await platform.signInUrl(ctx, site, pageUrl, { reauthenticate: false }) };
  const [member, switchAccountUrl] = await Promise.all([
    platform.findMember(site, signedIn.memberId),
    platform.signInUrl(ctx, site, pageUrl, { reauthenticate: true }),
  ]);
  const isAdministrator = audience === 'administrator';
  const mayOpen = isAdministrator ? access.mayDecide(member) : access(member, 'member') === 'permitted';
  if (!member || !mayOpen) {
    return { instead: forbiddenPage(site, member, forbidden, { switchAccountUrl }) };
  }
  const trace = currentTrace();
  if (trace) trace.actor = { kind: audience, id: member.id };
  const isFile = ctx.query['format'] === 'csv';
  limitPages(site, member.id, isFile ? pagesOfFile : 1);
  const binding = { siteId: site.id, form: path, memberId: member.id };
  const form = ctx.method === 'POST' ? await readForm(ctx) : undefined;
  // The page is shown without the number if that cannot be read: the store reports the fault.
  const openRequests = isAdministrator && !isFile ? await countRequests(site).catch(() => 0) : 0;
  const news = isAdministrator || ctx.method === 'POST' ? [] : await newsOf(site, member);
  const sections = consoles[audience];
  const toReview = (): number => appsToReview(site) ?? 0;
  const console = { audience, sections, site, currentPath: ctx.path, openRequests, toReview, news };
  const csrf = csrfTokens.issue(binding);
  const context = { page, site, member, switchAccountUrl, path, csrf, console };
  if (form && !csrfTokens.verify(binding, field(form, 'csrf'))) {
    const action = { text: 'expired.form.again', href: pageUrl } as const;
    return {
      instead: memberMessage(context, { title: 'expired.title', texts: ['expired.form'], status: 400, action }),
    };
  }
  return { call, context, form };
}

/** Says on which client the page acts, for audit events of what it calls. */
export function actOnClient({ clientId, app }: DescribedClient): void {
  const trace = currentTrace();
  if (trace) trace.client = { clientId, app: app?.id };
}
