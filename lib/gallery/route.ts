import type { FeatureExamples, Scene, Visit } from '../pages/examples/example.ts';
import type { Context } from 'koa';
import type { Site } from '../host/school-platform.ts';
import type { Route, RouteCall } from '../http/route.ts';
import { guidePage } from '../describe/guide/page.ts';
import type { ServiceDescription } from '../describe/service-description.ts';
import type { ConsentPreview } from '../pages/consent-preview.ts';
import type { AlwaysOpen } from '../pages/kit/always-sees.ts';
import { messagePage } from '../pages/kit/error-page.ts';
import { html, type Html, type Translator } from '../pages/kit/markup.ts';
import { exampleOf, type PageBuilder, type Pages } from '../pages/kit/pages.ts';
import type { Enabled } from '../core/enabled/enabled.ts';
import type { ScopeCatalogue } from '../core/scopes/scopes.ts';
import { consentExample } from './consent-examples.ts';
import { entriesOf, type Entry } from './entries.ts';
import { type ExampleServices, exampleServices } from './example-services.ts';
import { receivedQuery } from './messages.ts';

export interface GalleryOptions {
  readonly path: string;
  readonly pages: Pages;
  readonly catalogue: ScopeCatalogue;
  readonly enabled: Enabled;
  readonly open: AlwaysOpen;
  /** The pages of features. */
  readonly ofFeatures: FeatureExamples;
  readonly service: (site: Site) => ServiceDescription;
  /** The routes of the pages at `examplePaths` and at the addresses of the tools, made from these. */
  readonly routesOf: (services: ExampleServices & { readonly pages: Pages }) => readonly Route[];
}

/** Every page in every state, with invented data, for who designs a template. Nothing is read, stored or sent. */
export function galleryRoutes(options: GalleryOptions): Route[] {
  const { path, pages } = options;
  const kind = { methods: ['GET'], kind: 'page' } as const;
  return [
    { path, ...kind, handle: ({ ctx, site }) => pages.send(ctx, site, contents(options, site)) },
    { path: `${path}/:id`, ...kind, handle: (call) => show(options, call) },
  ];
}

async function show(options: GalleryOptions, call: RouteCall): Promise<void> {
  const { ctx, site, id } = call;
  const { path, pages } = options;
  const { query } = ctx;
  const entry = entriesOf(routesFor(options), options.ofFeatures).get(id);
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
const otherTheme: Pick<Site, 'colours' | 'stylesheet'> = {
  colours: { accent: '#0f766e' },
  stylesheet: `:root{--campus-radius:0rem;--campus-density:.8;--campus-font:Georgia,"Noto Serif TC",serif;--campus-shadow:none;--campus-back:#f4f0e6}
@media (prefers-color-scheme:dark){:root{--campus-back:#1a1712;--campus-card:#221e17}}`,
};

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
  if ('message' in entry) return entry.message(requestLike(ctx, { path: options.path, query: receivedQuery }), site);
  if ('consent' in entry) return consentExample(options, site, entry.consent);
  return visited(options, call, entry.visit);
}

/** What the route of a page sends. */
async function visited(options: GalleryOptions, call: RouteCall, visit: Visit): Promise<PageBuilder | undefined> {
  const { ctx, site } = call;
  const { route: path, id = '', query, form } = visit;
  const drawn: PageBuilder[] = [];
  const pages: Pages = { send: async (_ctx, _site, build) => void drawn.push(build), sendCsv: async () => {} };
  const route = routesFor(options, visit, pages).find((each) => each.path === path);
  const at = requestLike(ctx, { path: path.replace(':id', id), query, form });
  const example = { ...site, connectionsEnabled: true, ...visit.site };
  await (route?.browserPage ?? route?.handle)?.({ ctx: at, site: example, id });
  return drawn[0];
}

function routesFor(options: GalleryOptions, scene: Scene = {}, pages: Pages = options.pages): readonly Route[] {
  const preview: ConsentPreview = async ({ site }) => consentExample(options, site, {});
  return options.routesOf({ ...exampleServices(options, preview, scene), pages });
}

type RequestParts = Pick<Visit, 'query' | 'form'> & { readonly path: string };

const values = (members: object): PropertyDescriptorMap =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, { value }]));

/** The request of an example, as a view of the request for the gallery: it has another address and form, and the same response. */
function requestLike(ctx: Context, { path, query = '', form }: RequestParts): Context {
  const search = query === '' ? '' : `?${query}`;
  const posted = { type: 'application/x-www-form-urlencoded', length: 1, body: form };
  const members = {
    path,
    search,
    url: `${path}${search}`,
    query: Object.fromEntries(new URLSearchParams(query)),
    method: form ? 'POST' : 'GET',
    request: Object.create(ctx.request, values(posted)),
    req: Object.create(ctx.req, values({ readableDidRead: true, readableEnded: true })),
  };
  return Object.create(ctx, values(members));
}

function contents(options: GalleryOptions, site: Site): PageBuilder {
  const names = [...entriesOf(routesFor(options), options.ofFeatures).keys()];
  return (t) => ({
    page: 'gallery',
    title: t.text('example.title'),
    heading: t.html('example.title'),
    body: html`<p>${t.html('example.intro', { school: site.name })}</p>
<ul lang="en" dir="ltr">${names.map((name) => html`<li><a href="${options.path}/${name}">${name}</a> <a href="${options.path}/${name}?themes=both" aria-label="${name}: ${t.text('example.themes')}">${t.html('example.themes.short')}</a></li>`)}</ul>`,
  });
}
