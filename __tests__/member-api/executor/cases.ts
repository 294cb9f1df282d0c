/**
 * Parameters of a property test: the same cases in each run, unless `PROPERTY_SEED` and `PROPERTY_FACTOR` ask for other ones and
 * more of them. On failure fast-check prints the seed.
 */
export function cases(count: number): { readonly seed: number; readonly numRuns: number } {
  const { PROPERTY_SEED = '20310101', PROPERTY_FACTOR = '1' } = process.env;
  return { seed: Number(PROPERTY_SEED), numRuns: count * Number(PROPERTY_FACTOR) };
}
