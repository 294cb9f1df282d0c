import type { Audit } from '../observe/audit.ts';
import { type AddedClaims, addedClaims, type HostClaims } from './host-claims.ts';
import { type HostPlatform, wrapPlatform } from './checked-platform.ts';
import type { SchoolPlatform } from './school-platform.ts';
import { createSiteFinder, type SiteRegister } from './site-finder.ts';

/** What the host provides: its functions are checked, their failures are faults, and their time is limited. */
export interface Host {
  readonly platform: HostPlatform;
  readonly findSite: SiteRegister;
  readonly addedClaims: AddedClaims;
}

interface HostOptions {
  readonly platform: SchoolPlatform;
  /** For how many seconds a school is kept that was found. */
  readonly siteCache: number;
  readonly claims?: HostClaims | undefined;
  /** The names of the claims that have a text on the consent page. */
  readonly claimTexts: readonly string[];
}

export function createHost(options: HostOptions, { onFault, telemetry }: Audit): Host {
  const platform = wrapPlatform(options.platform, onFault, telemetry);
  return {
    platform,
    findSite: createSiteFinder(platform, options.siteCache, onFault),
    addedClaims: addedClaims(options.claims, options.claimTexts, onFault),
  };
}
