import type { Site } from '../contracts/platform.ts';
import type { ProgramRule } from '../contracts/program.ts';
import type { Route } from '../contracts/route.ts';
import { jsonDocument, type ServedDocument, type SiteDocument, textDocument } from '../http/send.ts';
import { documentRoute, sendDocument, siteDocument } from '../http/send.ts';
import { type CheckedKeys, type KeyRing, jwks } from '../protocol/keys.ts';
import { paths } from '../protocol/paths.ts';
import type { Pages } from '../pages/kit/pages.ts';
import { programsText } from './guide/clients.ts';
import { guide } from './guide/guide.ts';
import { guidePage } from './guide/page.ts';
import { resourceMetadata, serverMetadata } from './metadata.ts';
import { openApiDocument } from './openapi/document.ts';
import type { ServiceDescription } from './service-description.ts';

/** The documents for client developers, built once for each site and served from memory. Browsers get the guide as a page. */
export function documentRoutes(
  keys: Pick<KeyRing, 'of'>,
  common: Omit<ServiceDescription, 'signs'>,
  pages: Pages,
  rules: (site: Site) => Promise<ReadonlyMap<string, ProgramRule>>,
): Route[] {
  const keySets = new WeakMap<CheckedKeys, ServedDocument>();
  const keySetOf: SiteDocument = (site) => {
    const current = keys.of(site);
    const known = keySets.get(current) ?? jsonDocument(jwks(current));
    keySets.set(current, known);
    return known;
  };
  // Keys can begin to sign while the process runs.
  const signs = (site: Site): boolean => keys.of(site).signing.length > 0;
  const describing = (build: (site: Site, service: ServiceDescription) => ServedDocument): SiteDocument => {
    const signing = siteDocument((site, programs) => build(site, { ...common, programs, signs: true }));
    const silent = siteDocument((site, programs) => build(site, { ...common, programs, signs: false }));
    return (site, programs) => (signs(site) ? signing : silent)(site, programs);
  };
  const server = describing(({ origin }, service) => jsonDocument(serverMetadata(origin, service)));
  const openApi = describing((site, service) => jsonDocument(openApiDocument(site, service)));
  const guideText = describing((site, service) => textDocument('text/markdown; charset=utf-8', guide(site, service)));
  return [
    documentRoute(paths.openidConfiguration, server),
    documentRoute(paths.authorizationServer, server),
    ...common.resources.map((resource) =>
      documentRoute(
        `${paths.protectedResource}${resource.path}`,
        siteDocument((site) => jsonDocument(resourceMetadata(site, resource))),
      ),
    ),
    documentRoute(paths.jwks, keySetOf),
    documentRoute(paths.openapi, openApi),
    {
      ...documentRoute(paths.guide, guideText),
      handle: async ({ ctx, site }) => sendDocument(ctx, guideText(site, programsText(await rules(site)))),
      browserPage: async ({ ctx, site }) => {
        const programs = programsText(await rules(site));
        return pages.send(ctx, site, guidePage(site, { ...common, programs, signs: signs(site) }));
      },
    },
  ];
}
