import { LRUCache } from 'lru-cache';
import type { Site } from '../contracts/platform.ts';
import type { Engine } from './engine.ts';

/** How many sites keep their engine in memory; one costs about 40 kB. */
const maxSites = 1000;

/** Finds the engine of a site. */
export type EngineFinder = (site: Pick<Site, 'id' | 'origin'>) => Engine;

/** Makes an engine on first use and keeps a bounded number; a site that changed its origin gets a new one. */
export function createRegistry(make: EngineFinder): EngineFinder {
  const engines = new LRUCache<string, Engine>({ max: maxSites });
  return ({ id, origin }) => {
    const key = `${id} ${origin}`;
    let engine = engines.get(key);
    if (!engine) {
      engine = make({ id, origin });
      engines.set(key, engine);
    }
    return engine;
  };
}
