import { LRUCache } from 'lru-cache';
import type { Site } from '../contracts/platform.ts';
import type { Engine } from './engine.ts';

/** One engine takes about 40 kB. */
const maxSites = 1000;

export type EngineFinder = (site: Pick<Site, 'id' | 'origin'>) => Engine;

/** Makes the engine of a site on first use and caches it; a site whose origin changed gets a new one. */
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
