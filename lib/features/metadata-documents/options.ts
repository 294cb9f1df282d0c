import type * as z from 'zod';
import { type HourlyLimit, hourlyLimitSchema } from '../../kernel/hourly-limit.ts';

export interface DocumentLimits {
  /** Fetches of metadata documents that nobody has allowed or approved yet, at any site. @default { perAddress: 60, perSite: 600 } */
  readonly documents: HourlyLimit;
}

/** @internal */
export const documentLimits: { readonly documents: z.ZodPrefault<z.ZodType<HourlyLimit>> } = {
  documents: hourlyLimitSchema.prefault({ perAddress: 60, perSite: 600 }),
};
