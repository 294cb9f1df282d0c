import { targetOf } from '../../../core/apps/named-app.ts';
import type { EndedBy, EndedConnections } from '../../../core/connections/connection.ts';
import { nextGrants, walkedApp } from '../../../core/connections/grant-walk.ts';
import type { AppRuleFinders } from '../../../core/access/rule-finders.ts';
import { endGrants } from '../../../core/grants/changes.ts';
import type { HostPlatform } from '../../../host/checked-platform.ts';
import type { Site } from '../../../host/school-platform.ts';
import type { OnAudit } from '../../../observe/audit-event.ts';
import type { RecordStore } from '../../../records/record-store.ts';
import type { GivenGrant } from '../../../records/store.ts';

interface RoleEndOptions {
  readonly store: RecordStore;
  readonly platform: HostPlatform;
  readonly rules: AppRuleFinders;
  readonly onAudit: OnAudit;
}

/** Steps of one call, and connections that each looks at. */
const maxSteps = 25;
const stepSize = 20;

/** Ends the connections of people who have a role now, a bounded part in each call. */
export async function endByRole(
  options: RoleEndOptions,
  site: Site,
  { role, app: named, cursor = '' }: EndedBy & { readonly role: string },
): Promise<EndedConnections> {
  const { store, rules, platform } = options;
  const target = named === undefined ? undefined : targetOf(named);
  if (target && 'app' in target) await rules.apps.check(site.id, target.app);
  const app = target && (await walkedApp(options, site.id, target));
  const endOne = async ({ id, memberId }: GivenGrant): Promise<number> => {
    const member = await platform.findMember(site, memberId);
    if (!member?.roles.includes(role)) return 0;
    const found = await store.find(site.id, 'Grant', id);
    const parties = { memberId, connectionId: id, clientId: found?.record.clientId };
    const details = { actor: { kind: 'administrator' }, reason: 'client_disconnected', ...parties } as const;
    return endGrants(options, site.id, { memberId, grantId: id }, details);
  };
  let [connections, next]: [number, string | undefined] = [0, cursor];
  for (let steps = 0; steps < maxSteps && next !== undefined; steps += 1) {
    const step = await nextGrants(store, site.id, { app, place: next, limit: stepSize });
    const ended = await Promise.all(step.grants.map(endOne));
    connections += ended.reduce((sum, each) => sum + each, 0);
    ({ next } = step);
  }
  return { connections, ...(next !== undefined && { next }) };
}
