export const fixedSeed: number;
