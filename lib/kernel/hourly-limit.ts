import type * as z from 'zod';
import { group, type Shape, whole } from './option-schemas.ts';

/** The number of requests in an hour, 0 or more. One process accepts from one address, or network, no more at all schools with this limit than at one. */
export interface HourlyLimit {
  /** From one IPv4 address or one IPv6 /64 network. */
  readonly perAddress: number;
  /**
   * At one school in total. This bounds the size of the store. Half of it is first come, first served, at most a quarter of the
   * hour for one network (IPv4 /24, IPv6 /48); in the other half a network gets a hundredth, so that a few addresses cannot
   * use up the hour of all others.
   */
  readonly perSite: number;
}

/** @internal */
export const perHour = whole('whole number per hour', 0, 1_000_000_000);

/** @internal */
export const hourlyLimitSchema: z.ZodType<HourlyLimit> = group({
  perAddress: perHour,
  perSite: perHour,
} satisfies Shape<HourlyLimit>).meta({ type: '`HourlyLimit`' });
