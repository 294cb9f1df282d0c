import { LRUCache } from 'lru-cache';
import type { Site } from '../contracts/platform.ts';
import type { Route } from '../http/route.ts';
import { jsonDocument, sendDocument, type ServedDocument } from '../http/send.ts';
import { type CheckedKeys, jwks } from '../keys.ts';
import { paths, protectedPaths } from '../paths.ts';
import { resourceMetadata, serverMetadata } from './metadata.ts';

/** What of the configuration the documents tell. */
export interface DiscoveryOptions {
  readonly keys: CheckedKeys;
  /** Whether clients can register. */
  readonly registers: boolean;
  /** Whether metadata documents can be clients. */
  readonly documents: boolean;
}

/** The documents that anyone may read: metadata and keys, built once for a site and served from memory. */
export function discoveryRoutes({ keys, registers, documents: cimd }: DiscoveryOptions): Route[] {
  const signs = keys.signing.length > 0;
  const server = documents(({ origin }) => serverMetadata({ origin, signs, registers, documents: cimd }));
  const resource = documents(({ origin, name }) => resourceMetadata({ origin, siteName: name }));
  const keySet = jsonDocument(jwks(keys));
  return [
    serve(paths.openidConfiguration, server),
    serve(paths.authorizationServer, server),
    ...['', ...protectedPaths].map((path) => serve(`${paths.protectedResource}${path}`, resource)),
    serve(paths.jwks, () => keySet),
  ];
}

type DocumentOf = (site: Site) => ServedDocument;

function serve(path: string, documentOf: DocumentOf): Route {
  return { path, methods: ['GET'], kind: 'document', handle: ({ ctx, site }) => sendDocument(ctx, documentOf(site)) };
}

function documents(content: (site: Site) => object): DocumentOf {
  const built = new LRUCache<string, ServedDocument>({ max: 1000 });
  return (site) => {
    const key = `${site.origin} ${site.name}`;
    let document = built.get(key);
    if (!document) {
      document = jsonDocument(content(site));
      built.set(key, document);
    }
    return document;
  };
}
