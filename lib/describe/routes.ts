import type { Route, RouteCall } from '../contracts/route.ts';
import { jsonDocument, textDocument } from '../http/send.ts';
import { documentRoute, siteDocument } from '../http/send.ts';
import { type CheckedKeys, jwks } from '../protocol/keys.ts';
import { paths } from '../protocol/paths.ts';
import { guide } from './guide/guide.ts';
import { resourceMetadata, serverMetadata } from './metadata.ts';
import { openApiDocument } from './openapi/document.ts';
import type { ServiceDescription } from './service-description.ts';

/**
 * The documents for client developers, built once for each site and served from memory. `guidePage` sends the guide to browsers;
 * without it they get Markdown, too.
 */
export function documentRoutes(
  keys: CheckedKeys,
  service: ServiceDescription,
  guidePage: ((call: RouteCall, markdown: string) => void) | undefined,
): Route[] {
  const server = siteDocument(({ origin }) => jsonDocument(serverMetadata(origin, service)));
  const keySet = jsonDocument(jwks(keys));
  const openApi = siteDocument((site) => jsonDocument(openApiDocument(site, service)));
  const guideText = siteDocument((site) => textDocument('text/markdown; charset=utf-8', guide(site, service)));
  return [
    documentRoute(paths.openidConfiguration, server),
    documentRoute(paths.authorizationServer, server),
    ...service.resources.map((resource) =>
      documentRoute(
        `${paths.protectedResource}${resource.path}`,
        siteDocument((site) => jsonDocument(resourceMetadata(site, resource))),
      ),
    ),
    documentRoute(paths.jwks, () => keySet),
    documentRoute(paths.openapi, openApi),
    {
      ...documentRoute(paths.guide, guideText),
      browserPage: guidePage && ((call) => guidePage(call, guideText(call.site).body)),
    },
  ];
}
