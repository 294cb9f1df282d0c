import type { Lifetimes, Limits } from './limits/limits.ts';
import type { Telemetry } from '../observe/telemetry.ts';
import type { AddedClaims } from '../host/host-claims.ts';
import type { AccessRule } from './clients/access-rule.ts';
import type { HostPlatform } from '../host/platform.ts';
import type { SiteFinder } from '../host/site-finder.ts';
import type { AtSite } from '../host/at-site.ts';
import type { Offered } from './offered/offered.ts';
import type { ScopeCatalogue } from './scopes/scopes.ts';
import type { OnAudit } from '../observe/audit-event.ts';
import type { OnFault } from '../observe/events.ts';
import type { RequestTime } from '../kernel/request-time.ts';
import type { RecordStore } from '../records/record-store.ts';

/** What everything else is made from, each made once in `services.ts`. What needs a part of it takes a `Pick`. */
export interface Core {
  readonly platform: HostPlatform;
  readonly findSite: SiteFinder;
  readonly access: AccessRule;
  readonly addedClaims: AddedClaims;
  readonly store: RecordStore;
  /** The time of a request for the store. */
  readonly storeTime: RequestTime;
  readonly catalogue: ScopeCatalogue;
  readonly offered: Offered;
  readonly lifetimes: AtSite<Lifetimes>;
  readonly limits: AtSite<Limits | false>;
  readonly telemetry?: Telemetry | undefined;
  readonly onFault: OnFault;
  readonly onAudit: OnAudit;
}
