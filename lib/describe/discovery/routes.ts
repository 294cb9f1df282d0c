import type { Route } from '../../contracts/route.ts';
import { jsonDocument } from '../../http/send.ts';
import { documentRoute, siteDocument } from '../../http/site-document.ts';
import { type CheckedKeys, jwks } from '../../protocol/keys.ts';
import { paths } from '../../protocol/paths.ts';
import { resourceMetadata, serverMetadata } from './metadata.ts';

/** What of the configuration the documents tell. */
export interface DiscoveryOptions {
  readonly keys: CheckedKeys;
  /** Whether clients can register. */
  readonly registers: boolean;
  /** Whether metadata documents can be clients. */
  readonly documents: boolean;
  readonly protectedPaths: readonly string[];
}

/** The documents that anyone may read: metadata and keys, built once for a site and served from memory. */
export function discoveryRoutes({ keys, registers, documents, protectedPaths }: DiscoveryOptions): Route[] {
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
