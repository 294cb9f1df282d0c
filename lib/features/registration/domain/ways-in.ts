import type { AppIdentity } from '../../../core/access/app.ts';
import { knownApps } from '../../../core/known-apps/known-apps.ts';
import type { RegistrationPolicy } from './registration-policy.ts';

/** The known apps that can register. A policy that names none can admit each of them under its name, which proves nothing. */
export function registeredWays(policies: readonly RegistrationPolicy[]): readonly AppIdentity[] {
  const kind = 'assistant';
  const named = policies.flatMap(({ apps = [] }) => apps);
  const claimed = policies.some(({ apps }) => apps === undefined) ? knownApps : [];
  return [
    ...named.map((id) => ({ id, source: 'vendor', kind, verified: true }) as const),
    ...claimed.map(({ id }) => ({ claimedId: id, source: 'loopback', kind, verified: false }) as const),
  ];
}
