import { added } from '../../kernel/added.ts';
import * as z from 'zod';
import type { Site } from '../../host/school-platform.ts';
import type { SiteOption } from '../../host/per-site.ts';
import type { AssertionLimit, FeatureLimits, Lifetimes, Limits, MemberLimit, RefreshLimit } from './limits.ts';
import { hourlyLimitSchema, perHour } from '../../kernel/hourly-limit.ts';
import { func, group, type Shape, whole } from '../../kernel/option-schemas.ts';
import { isObject } from '../../kernel/validate.ts';

const hour = 60 * 60;
const day = 24 * hour;
const tenYears = 3650 * day;

function lifetime(max: number, standard: number, min = 1) {
  return whole('whole number of seconds', min, max).default(standard);
}

export const lifetimesSchema: z.ZodType<Lifetimes> = group({
  authorizationCode: lifetime(600, 60),
  accessToken: lifetime(day, 2 * hour),
  refreshToken: lifetime(tenYears, 30 * day),
  grant: lifetime(tenYears, 180 * day),
  pendingSignIn: lifetime(day, hour / 4),
  interaction: lifetime(day, hour),
  refreshGrace: lifetime(600, 30, 0),
} satisfies Shape<Lifetimes>).prefault({});

const byFamily = group({ perFamily: perHour } satisfies Shape<RefreshLimit>).meta({ type: '`RefreshLimit`' });
const ofAssertions = group({
  perClient: perHour,
  failedPerAddress: perHour,
  failedPerClient: perHour,
} satisfies Shape<AssertionLimit>).meta({ type: '`AssertionLimit`' });
const byMember = group({ perMember: perHour } satisfies Shape<MemberLimit>).meta({ type: '`MemberLimit`' });

/** A feature with limits of its own. */
export interface LimitedFeature {
  readonly limits?: Partial<AddedLimits>;
}

type AddedLimits = { readonly [L in keyof FeatureLimits]: z.ZodPrefault<z.ZodType<FeatureLimits[L]>> };

export function limitsSchema(features: readonly LimitedFeature[]): z.ZodType<Limits | false> {
  const ofFeatures = added<AddedLimits>(features.map(({ limits }) => limits));
  return z
    .union([
      z.literal(false),
      group(
        {
          ...ofFeatures,
          authorizations: hourlyLimitSchema.prefault({ perAddress: 1200, perSite: 6000 }),
          anonymousCalls: hourlyLimitSchema.prefault({ perAddress: 3600, perSite: 36_000 }),
          tokenCalls: byMember.prefault({ perMember: 3600 }),
          memberCalls: byMember.prefault({ perMember: 3600 }),
          pages: byMember.prefault({ perMember: 1200 }),
          refreshes: byFamily.prefault({ perFamily: 120 }),
          assertions: ofAssertions.prefault({ perClient: 10_000, failedPerAddress: 600, failedPerClient: 6000 }),
        } satisfies Shape<Limits>,
        'be an object, or false',
      ),
    ])
    .prefault({});
}

/** A value, or a function that returns it for a site: what that returns is checked when it is called. */
export function perSite<T>(schema: z.ZodType<T>, demand: string): z.ZodType<SiteOption<T>> {
  const error = ({ input }: { readonly input?: unknown }): string | undefined => (isObject(input) ? undefined : demand);
  return z.union([func<(site: Site) => unknown>(), schema], { error }).prefault({});
}
