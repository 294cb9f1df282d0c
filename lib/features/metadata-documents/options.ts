import type { HourlyLimit } from '../../kernel/hourly-limit.ts';

declare module '../../core/limits/limits.ts' {
  interface FeatureLimits {
    /** Fetches of metadata documents that nobody has allowed or approved yet, at any school. @default { perAddress: 60, perSite: 600 } */
    readonly documents: HourlyLimit;
  }
}
