import type { HourlyLimit } from '../../kernel/hourly-limit.ts';

declare module '../../core/limits/limits.ts' {
  interface FeatureLimits {
    /** Stored registrations. @default { perAddress: 60, perSite: 600 } */
    readonly registrations: HourlyLimit;
  }
}
