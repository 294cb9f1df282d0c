import type { Site } from './school-platform.ts';

/** The same methods, each of which takes a school or its origin. */
export type TakingOrigins<T> = {
  readonly [K in keyof T]: T[K] extends (site: Site, ...rest: infer Rest) => infer Result
    ? (school: Site | string, ...rest: Rest) => Result
    : T[K];
};
