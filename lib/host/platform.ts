import type { OnFault } from '../runtime/events.ts';
import type { Member, PlatformSession, SchoolPlatform, SignInHint, Site } from '../contracts/platform.ts';
import type { Context } from 'koa';
import { faultWrapper, isThenable } from './faults.ts';
import { checkMember, checkPlatformSession, checkSignInUrl, checkSite } from './platform-responses.ts';

/** The host's platform, with its responses checked and its failures reported as faults. */
export interface HostPlatform {
  findSite(origin: string): Promise<Site | undefined>;
  signedInMember(ctx: Context, site: Site): Promise<PlatformSession | undefined>;
  signInUrl(ctx: Context, site: Site, returnTo: string, hint: SignInHint): Promise<string>;
  findMember(site: Site, memberId: string): Promise<Member | undefined>;
}

export function wrapPlatform(platform: SchoolPlatform, onFault: OnFault): HostPlatform {
  const wrap = faultWrapper(onFault);
  return {
    findSite: wrap('platform.findSite', async (origin: string) => checkSite(await platform.findSite(origin), origin)),
    signedInMember: wrap('platform.signedInMember', async (ctx: Context, site: Site) =>
      checkPlatformSession(await platform.signedInMember(ctx, site)),
    ),
    signInUrl: wrap('platform.signInUrl', async (...call: Parameters<SchoolPlatform['signInUrl']>) =>
      checkSignInUrl(await platform.signInUrl(...call)),
    ),
    // Called for every token: a member that is there at once needs no timer.
    findMember: wrap('platform.findMember', (site: Site, memberId: string) => {
      const found = platform.findMember(site, memberId);
      if (!isThenable(found)) return checkMember(found, memberId);
      return Promise.resolve(found).then((member) => checkMember(member, memberId));
    }),
  };
}
