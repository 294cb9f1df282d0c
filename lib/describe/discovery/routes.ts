import type { Route } from '../../http/route.ts';
import { jsonDocument } from '../../http/send.ts';
import { documentRoute, siteDocument } from '../../http/site-document.ts';
import { type CheckedKeys, jwks } from '../../protocol/keys.ts';
import { paths, protectedPaths } from '../../protocol/paths.ts';
import { resourceMetadata, serverMetadata } from './metadata.ts';

interface DiscoveryOptions {
  readonly keys: CheckedKeys;
  /** Whether there is a registration endpoint. */
  readonly registers: boolean;
  /** Whether metadata documents are accepted as clients. */
  readonly documents: boolean;
}

/** Metadata and public keys, built once for each site and served from memory. */
export function discoveryRoutes({ keys, registers, documents }: DiscoveryOptions): Route[] {
  const signs = keys.signing.length > 0;
  const server = siteDocument(({ origin }) => jsonDocument(serverMetadata({ origin, signs, registers, documents })));
  const resource = siteDocument(({ origin, name }) => jsonDocument(resourceMetadata({ origin, siteName: name })));
  const keySet = jsonDocument(jwks(keys));
  return [
    documentRoute(paths.openidConfiguration, server),
    documentRoute(paths.authorizationServer, server),
    ...['', ...protectedPaths].map((path) => documentRoute(`${paths.protectedResource}${path}`, resource)),
    documentRoute(paths.jwks, () => keySet),
  ];
}
