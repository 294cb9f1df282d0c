import type { Route } from '../../contracts/route.ts';
import { documentRoute, jsonDocument, siteDocument } from '../../http/send.ts';
import { type CheckedKeys, jwks } from '../../protocol/keys.ts';
import { paths } from '../../protocol/paths.ts';
import type { ServiceDescription } from '../service-description.ts';
import { resourceMetadata, serverMetadata } from './metadata.ts';

/** Metadata and public keys, built once for each site and served from memory. */
export function discoveryRoutes(keys: CheckedKeys, service: ServiceDescription): Route[] {
  const server = siteDocument(({ origin }) => jsonDocument(serverMetadata(origin, service)));
  const resource = siteDocument((site) => jsonDocument(resourceMetadata(site)));
  const keySet = jsonDocument(jwks(keys));
  return [
    documentRoute(paths.openidConfiguration, server),
    documentRoute(paths.authorizationServer, server),
    ...['', ...service.protectedPaths].map((path) => documentRoute(`${paths.protectedResource}${path}`, resource)),
    documentRoute(paths.jwks, () => keySet),
  ];
}
