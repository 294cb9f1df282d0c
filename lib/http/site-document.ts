import { LRUCache } from 'lru-cache';
import type { Site } from '../contracts/member.ts';
import type { Route } from '../contracts/route.ts';
import { sendDocument, type ServedDocument } from './send.ts';

type SiteDocument = (site: Site) => ServedDocument;

/** The cache size of one document for all sites, in characters. */
const maxSize = 32 * 1024 * 1024;

/** Caches a document that depends on nothing but the site. */
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

export function documentRoute(path: string, documentOf: SiteDocument): Route {
  return { path, methods: ['GET'], kind: 'document', handle: ({ ctx, site }) => sendDocument(ctx, documentOf(site)) };
}
