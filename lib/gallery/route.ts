import type { Visit } from '../features/feature-examples.ts';
import type { Context } from 'koa';
import type { Site } from '../host/school-platform.ts';
import type { Form } from '../http/body.ts';
import type { Route, RouteCall } from '../http/route.ts';
import { guidePage } from '../describe/guide/page.ts';
import type { CampusParts } from '../campus-parts.ts';
import type { ServiceDescription } from '../describe/service-description.ts';
import type { AlwaysOpen } from '../pages/kit/always-sees.ts';
import { messagePage } from '../pages/kit/error-page.ts';
import { html, type Html, type Translator } from '../pages/kit/markup.ts';
import { exampleOf, type PageBuilder, type Pages } from '../pages/kit/pages.ts';
import { consentExample } from './consent-examples.ts';
import { entriesOf, type Entry } from './entries.ts';
import { withExampleCampus } from './example-campus.ts';
import { applicationScopes } from './example-school.ts';
import { receivedQuery } from './messages.ts';

export interface GalleryOptions {
  readonly path: string;
  /** Those of the host. */
  readonly parts: CampusParts;
  readonly open: AlwaysOpen;
  readonly service: (site: Site) => ServiceDescription;
  /** The routes of the pages at `examplePaths` and at the addresses of the tools, with the parts of a campus. */
  readonly routesOf: (parts: CampusParts, pages: Pages) => readonly Route[];
}

/** Every page in every state, with invented data, for who designs a template. Nothing of the school is read or stored. */
export function galleryRoutes(options: GalleryOptions): Route[] {
  const { path, parts } = options;
  const { pages } = parts;
  const kind = { methods: ['GET'], kind: 'page' } as const;
  let found: Promise<Entries> | undefined;
  // Which pages are on stays as it is.
  const entries = (site: Site): Promise<Entries> => (found ??= entriesFor(options, site));
  return [
    {
      path,
      ...kind,
      handle: async ({ ctx, site }) => pages.send(ctx, site, contents(path, site, await entries(site))),
    },
    {
      path: `${path}/:id`,
      ...kind,
      handle: async (call) => show(options, call, (await entries(call.site)).get(call.id)),
    },
  ];
}

type Entries = ReadonlyMap<string, Entry>;

async function show(options: GalleryOptions, call: RouteCall, entry: Entry | undefined): Promise<void> {
  const { ctx, site, id } = call;
  const { path, parts } = options;
  const { pages } = parts;
  const { query } = ctx;
  const page = entry && (await pageOf(options, call, entry));
  if (!page) {
    const action = { text: 'example.title', href: path } as const;
    const values = { school: site.name };
    const missing = messagePage({ title: 'missing.title', texts: ['example.intro'], values, status: 404, action });
    return pages.send(ctx, site, missing);
  }
  if (query['themes'] === 'both')
    return pages.send(
      ctx,
      { ...site, stylesheet: `${site.stylesheet ?? ''}${framesStyle}` },
      besideEachOther(path, id),
    );
  const notice = (t: Translator): Html =>
    html`${t.html('example.notice', { name: id })} <a href="${path}">${t.html('example.title')}</a> · <a href="${path}/${id}?themes=both">${t.html('example.themes')}</a>`;
  const example = exampleOf(page, notice);
  return pages.send(ctx, query['theme'] === 'other' ? { ...site, ...otherTheme } : site, (t) => ({
    ...example(t),
    frames: 'inside',
  }));
}

/** A theme that has nothing in common with the built-in one: what follows no custom property stands out. */
const otherTheme = {
  colors: { accent: '#0f766e' },
  stylesheet: `:root{--campus-radius:0rem;--campus-density:.8;--campus-font:Georgia,"Noto Serif TC",serif;--campus-shadow:none;--campus-back:#f4f0e6}
@media (prefers-color-scheme:dark){:root{--campus-back:#1a1712;--campus-card:#221e17}}`,
} satisfies Partial<Site>;

/** The page with both is no page of the product, so the style has no rules for it. */
const framesStyle = `
main{max-width:90rem}.themes{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(20rem,100%),1fr));gap:1rem}iframe{width:100%;height:48rem;border:1px solid}`;

/** An example in the theme of the school and in another one. */
function besideEachOther(path: string, id: string): PageBuilder {
  const frame = (theme: string, title: string): Html =>
    html`<iframe src="${path}/${id}?theme=${theme}" title="${title}"></iframe>`;
  return (t) => ({
    page: 'gallery',
    title: t.text('example.themes'),
    heading: html`<span lang="en">${id}</span>`,
    frames: 'outside',
    body: html`<p><a href="${path}">${t.html('example.title')}</a></p>
<div class="themes">${frame('own', t.text('example.theme.own'))}${frame('other', t.text('example.theme.other'))}</div>`,
  });
}

async function pageOf(options: GalleryOptions, call: RouteCall, entry: Entry): Promise<PageBuilder | undefined> {
  const { ctx, site } = call;
  if ('component' in entry) return entry.component();
  if ('guide' in entry) return guidePage(site, options.service(site));
  if ('message' in entry) return entry.message(requestLike(ctx, options.path, { query: receivedQuery }), site);
  if ('consent' in entry)
    return consentExample({ catalogue: options.parts.settings.catalogue, open: options.open }, site, entry.consent);
  return visited(options, call, entry.visit);
}

/** What the route of a page sends at the school of the examples; for a form that does something, the page to which it leads. */
async function visited(options: GalleryOptions, call: RouteCall, visit: Visit): Promise<PageBuilder | undefined> {
  const { route: path, id = '', query, form } = visit;
  const site = { ...call.site, connectionsEnabled: true, ...visit.site };
  const drawn: PageBuilder[] = [];
  const pages: Pages = {
    send: async (_ctx, _site, build) => void drawn.push(build),
    sendHead: () => {},
    sendCsv: async () => {},
  };
  await withExampleCampus(options.parts, call.site, visit, async (parts) => {
    const route = options.routesOf(parts, pages).find((each) => each.path === path);
    const answer = route?.browserPage ?? route?.handle;
    const send = async (request: RequestParts): Promise<string | undefined> => {
      let next: string | undefined;
      const redirect = (url: string): void => {
        next = url;
      };
      const ctx = requestLike(call.ctx, path.replace(':id', id), request, redirect);
      await answer?.({ ctx, site, id });
      return next;
    };
    const sent = typeof form === 'function' ? form(applicationScopes(options.parts.settings.catalogue)) : form;
    const next = await send({ query, form: sent });
    if (next !== undefined) await send({ query: next.split('?')[1] });
  });
  return drawn[0];
}

interface RequestParts {
  readonly query?: string | undefined;
  readonly form?: Form | undefined;
}

const values = (members: object): PropertyDescriptorMap =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, { value }]));

/** The request of an example, as a view of the request for the gallery: it has another address and form, and the same response. */
function requestLike(
  ctx: Context,
  path: string,
  { query = '', form }: RequestParts,
  redirect?: (url: string) => void,
): Context {
  const search = query === '' ? '' : `?${query}`;
  const headers = { ...ctx.req.headers, 'content-type': 'application/x-www-form-urlencoded' };
  const members = {
    path,
    search,
    url: `${path}${search}`,
    query: Object.fromEntries(new URLSearchParams(query)),
    method: form ? 'POST' : 'GET',
    request: Object.create(ctx.request, values({ length: 1, body: form })),
    req: Object.create(ctx.req, values({ headers, readableDidRead: true, readableEnded: true })),
    ...(redirect && { redirect }),
  };
  return Object.create(ctx, values(members));
}

/** Those whose pages are on. */
function entriesFor(options: GalleryOptions, site: Site): Promise<Entries> {
  return withExampleCampus(options.parts, site, { empty: true }, async (parts) =>
    entriesOf(options.routesOf(parts, parts.pages)),
  );
}

function contents(path: string, site: Site, entries: Entries): PageBuilder {
  const names = [...entries.keys()];
  return (t) => ({
    page: 'gallery',
    title: t.text('example.title'),
    heading: t.html('example.title'),
    body: html`<p>${t.html('example.intro', { school: site.name })}</p>
<ul lang="en" dir="ltr">${names.map((name) => html`<li><a href="${path}/${name}">${name}</a> <a href="${path}/${name}?themes=both" aria-label="${name}: ${t.text('example.themes')}">${t.html('example.themes.short')}</a></li>`)}</ul>`,
  });
}
