import type { Context } from 'koa';
import type { Site } from '../../host/school-platform.ts';
import type { LimitManager } from '../../core/limits/limit-manager.ts';

/** How many user codes one member can enter. */
export const userCodesPerMember = 60;

/** Counts a user code that a member enters. */
export type UserCodeLimiter = (ctx: Context, site: Site, memberId: string) => Promise<void>;

export function userCodeLimiter({ limits, limiter, signedInLimiter }: LimitManager): UserCodeLimiter {
  const atAddress = limiter('userCodes');
  const ofMember = signedInLimiter('userCodes', (site) => {
    const all = limits(site);
    return all === false ? undefined : { ...all.userCodes, perAddress: userCodesPerMember };
  });
  return async (ctx, site, memberId) => {
    await ofMember(site, memberId);
    await atAddress(ctx, site);
  };
}
