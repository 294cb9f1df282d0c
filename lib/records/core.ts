import type { Lifetimes, Limits } from '../contracts/limits.ts';
import type { Telemetry } from '../contracts/telemetry.ts';
import type { AddedClaims } from '../host/host-claims.ts';
import type { AccessRule } from '../host/access-rule.ts';
import type { HostPlatform } from '../host/platform.ts';
import type { SiteFinder } from '../host/site-finder.ts';
import type { AtSite } from '../host/faults.ts';
import type { Offered } from '../protocol/offered.ts';
import type { ScopeCatalogue } from '../protocol/scopes.ts';
import type { OnAudit } from '../runtime/audit-event.ts';
import type { OnFault } from '../runtime/events.ts';
import type { RequestTime } from '../runtime/timeout.ts';
import type { RecordStore } from './record-store.ts';

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
