import { LRUCache } from 'lru-cache';
import type { Site } from '../contracts/member.ts';
import type { Route } from '../contracts/route.ts';
import { sendDocument, type ServedDocument } from './send.ts';

/** A document of each site. */
export type SiteDocument = (site: Site) => ServedDocument;

/** How much is kept of each document of all sites together, in characters. */
const maxSize = 32 * 1024 * 1024;

/** A document that depends on the site and nothing else: built once, served from memory. */
export function siteDocument(build: SiteDocument): SiteDocument {
  const built = new LRUCache<string, ServedDocument>({ max: 1000, maxSize, sizeCalculation: sizeOf });
  return (site) => {
    const { id, origin, name, connectionsEnabled } = site;
    const key = JSON.stringify([id, origin, name, connectionsEnabled]);
    let document = built.get(key);
    if (!document) {
      document = build(site);
      built.set(key, document);
    }
    return document;
  };
}

function sizeOf({ body }: ServedDocument): number {
  return body.length;
}

/** Serves a document at a path. */
export function documentRoute(path: string, documentOf: SiteDocument): Route {
  return { path, methods: ['GET'], kind: 'document', handle: ({ ctx, site }) => sendDocument(ctx, documentOf(site)) };
}
