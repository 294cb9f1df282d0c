import type { HourlyLimit } from '../../kernel/hourly-limit.ts';

declare module '../../core/limits/limits.ts' {
  interface FeatureLimits {
    /** Fetches of metadata documents that are not yet allowed or approved at any school. @default { perAddress: 60, perSite: 600 } */
    readonly documents: HourlyLimit;
  }
}
