import type { Site } from '../host/school-platform.ts';
import type { ListedPermission } from '../core/access/listed-permission.ts';
import type { Route } from '../http/route.ts';
import { addressedOrigin } from '../http/addressed-origin.ts';
import { koaRequest } from '../http/received-request.ts';
import {
  jsonDocument,
  type ServedDocument,
  type SiteDocument,
  textDocument,
  documentRoute,
  sendDocument,
  siteDocument,
} from '../http/send.ts';
import { type CheckedKeys, type IdTokenAlgorithm, jwks, type KeyRing, signedWith } from '../core/keys/keys.ts';
import { paths } from '../http/paths.ts';
import type { LimitManager } from '../core/limits/limit-manager.ts';
import type { Pages } from '../pages/kit/pages.ts';
import { appsText } from './guide/clients.ts';
import { guide } from './guide/guide.ts';
import { guidePage } from './guide/page.ts';
import { resourceMetadata, serverMetadata } from './metadata.ts';
import { openApiDocument } from './openapi/document.ts';
import type { CommonDescription, SiteDescription } from './service-description.ts';

interface DocumentSources {
  readonly keys: KeyRing;
  readonly limits: LimitManager;
  /** Every route of the campus, these among them. */
  readonly served: () => readonly Route[];
}

/** The documents for client developers, built once for each school and served from memory. Browsers get the guide as a page. */
export function documentRoutes(
  { keys, limits: { limits, lifetimes }, served }: DocumentSources,
  common: CommonDescription,
  pages: Pages,
  appPermissions: (site: Site) => Promise<ReadonlyMap<string, ListedPermission>>,
): Route[] {
  const keySets = new WeakMap<CheckedKeys, ServedDocument>();
  const keySetOf: SiteDocument = (site) => {
    const current = keys.of(site);
    const known = keySets.get(current) ?? jsonDocument(jwks(current));
    keySets.set(current, known);
    return known;
  };
  // Keys can begin to sign while the process runs.
  const algorithms = (site: Site): readonly IdTokenAlgorithm[] => signedWith(keys.of(site));
  const at = (site: Site): SiteDescription => ({
    idTokenAlgorithms: algorithms(site),
    lifetimes: lifetimes(site),
    limits: limits(site),
  });
  const guideAt = async (site: Site): Promise<SiteDescription> => ({
    ...at(site),
    apps: appsText(await appPermissions(site)),
  });
  const server = siteDocument(({ origin }, variant: { readonly algorithms: readonly IdTokenAlgorithm[] }) =>
    jsonDocument(serverMetadata(origin, common, variant.algorithms)),
  );
  const openApi = siteDocument((site, own: SiteDescription) =>
    jsonDocument(openApiDocument(site, { ...common, ...own }, served())),
  );
  const guideText = siteDocument((site, own: SiteDescription) =>
    textDocument('text/markdown; charset=utf-8', guide(site, { ...common, ...own })),
  );
  const serverOf: SiteDocument = (site) => server(site, { algorithms: algorithms(site) });
  return [
    documentRoute(paths.openidConfiguration, serverOf),
    documentRoute(paths.authorizationServer, serverOf),
    ...common.resources.map((resource) => {
      const metadata = siteDocument((site, { address }: { readonly address: string }) =>
        jsonDocument(resourceMetadata(site, resource, common.features, address)),
      );
      const path = `${paths.protectedResource}${resource.path}`;
      const document: SiteDocument = (site, ctx) => {
        const origin = addressedOrigin(koaRequest(ctx), site);
        return metadata(site, { address: `${origin}${ctx.path.slice(paths.protectedResource.length)}` });
      };
      return { ...documentRoute(path, document), atSlash: resource.atSlash, atFormerOrigins: true } as const;
    }),
    { ...documentRoute(paths.jwks, keySetOf), atFormerOrigins: true },
    documentRoute(paths.openapi, (site) => openApi(site, at(site))),
    {
      path: paths.guide,
      methods: ['GET'],
      kind: 'static',
      handle: async ({ ctx, site }) => sendDocument(ctx, guideText(site, await guideAt(site))),
      browserPage: async ({ ctx, site }) =>
        pages.send(ctx, site, guidePage(site, { ...common, ...(await guideAt(site)) })),
    },
  ];
}
