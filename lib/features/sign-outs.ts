import type { Clients } from '../core/clients/client-manager.ts';
import { noSignOuts, type SignOuts } from '../core/connections/sign-outs.ts';
import type { KeyRing } from '../core/keys/keys.ts';
import type { Outbound } from '../core/outbound/outbound.ts';
import type { Host } from '../host/host.ts';
import type { Audit } from '../observe/audit.ts';
import type { Records } from '../records/records.ts';
import { logoutNotices } from './logout/domain/notices.ts';
import type { FeatureSettings } from './policies.ts';

interface SignOutParts {
  readonly host: Host;
  readonly records: Records;
  readonly clients: Clients;
  readonly keys: KeyRing;
  readonly outbound: Outbound;
  readonly audit: Audit;
}

/** How features tell applications that a person is signed out. */
export function createSignOuts(settings: FeatureSettings, parts: SignOutParts): SignOuts {
  return { ...noSignOuts, ...logoutNotices(settings, parts) };
}
