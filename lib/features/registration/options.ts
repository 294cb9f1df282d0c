import type * as z from 'zod';
import { type HourlyLimit, hourlyLimitSchema } from '../../kernel/hourly-limit.ts';

export interface RegistrationLimits {
  /** Registrations that are stored. @default { perAddress: 60, perSite: 600 } */
  readonly registrations: HourlyLimit;
}

/** @internal */
export const registrationLimits: { readonly registrations: z.ZodPrefault<z.ZodType<HourlyLimit>> } = {
  registrations: hourlyLimitSchema.prefault({ perAddress: 60, perSite: 600 }),
};
