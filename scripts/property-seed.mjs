/** The seed of the property tests, except in `npm run test:random`. */
export const fixedSeed = 20_310_101;
