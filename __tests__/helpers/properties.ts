import { fixedSeed } from '../../scripts/property-seed.mjs';

/**
 * Parameters of a property test: the same cases in each run of `npm test`, other ones and more of them in each run of
 * `npm run test:random`. Both print the seed, and so does fast-check on failure.
 */
export function cases(count: number): { readonly seed: number; readonly numRuns: number } {
  return { seed: variable('PROPERTY_SEED', fixedSeed), numRuns: count * variable('PROPERTY_FACTOR', 1) };
}

function variable(name: string, otherwise: number): number {
  const value = Number(process.env[name] ?? otherwise);
  if (!Number.isSafeInteger(value)) throw new TypeError(`${name} must be an integer`);
  return value;
}
