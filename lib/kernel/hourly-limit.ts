import type * as z from 'zod';
import { group, type Shape, whole } from './option-schemas.ts';

/** The number of requests in an hour, 0 or more. One process accepts from one address, or network, no more at all schools with this limit than at one. */
export interface HourlyLimit {
  /** The number for one IPv4 address or one IPv6 /64 network. */
  readonly perAddress: number;
  /**
   * The number for one school in total. This bounds the size of the store. Half is first come, first served, but one network (IPv4 /24,
   * IPv6 /48) gets at most a quarter of the whole. In the other half it gets a hundredth, so a few addresses cannot use up the rate limit
   * of everyone.
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
