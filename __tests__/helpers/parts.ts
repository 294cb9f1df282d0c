import { memoryStore } from '../../adapters/memory/index.ts';
import { createCampus } from '../../lib/campus.ts';
import type { CampusParts } from '../../lib/campus-parts.ts';
import type { CampusOptions } from '../../lib/index.ts';
import { partsOf } from '../../lib/public/campus.ts';
import { fakePlatform } from '../../lib/testing/index.ts';
import { signingKey } from './keys.ts';

/** The parts of a campus without a server, to call one of them. */
export async function campusParts(options: Partial<CampusOptions> = {}): Promise<CampusParts> {
  const campus = createCampus({
    platform: fakePlatform({ schools: [], people: {} }),
    store: memoryStore(),
    keys: { signing: [await signingKey('key-1')], cookies: ['a secret of the tests'] },
    ...options,
  });
  const parts = partsOf(campus);
  if (!parts) throw new Error('createCampus made a campus without parts');
  return parts;
}
