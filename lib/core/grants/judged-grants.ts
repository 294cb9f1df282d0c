import type { Access } from '../access/access.ts';
import type { PermissionAtRefresh } from '../access/token-permission.ts';
import type { Site } from '../../host/school-platform.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import type { OnAudit } from '../../observe/audit-event.ts';
import { grantIdOf, type GrantRecord, serializeRecord } from '../../records/codec.ts';
import type { RecordStore } from '../../records/record-store.ts';
import { endGrants } from './changes.ts';

/**
 * What a rule of the school leaves to a connection.
 *
 * - `kept`: something at least.
 * - `refused`: nothing, so the connection ends.
 * - `waiting`: nothing for another reason, which can pass, or by which it ends elsewhere.
 */
export type Judgement = 'kept' | 'refused' | 'waiting';

/** Judges what a permission leaves of all that a grant gives. */
export function judge(permission: Awaited<ReturnType<PermissionAtRefresh>>): Judgement {
  if (permission.refusal === undefined) return permission.scopes.length > 0 ? 'kept' : 'refused';
  const { refusal, by } = permission;
  // A pseudonym begins or ends: nobody is known by another name than the one that they have allowed.
  return by === 'school' || refusal === 'subject_changed' ? 'refused' : 'waiting';
}

/**
 * Ends the access tokens of a grant. The next refresh gives what is allowed then.
 *
 * @param unjudged - when it was left to that refresh whether the grant stays. @default it has been judged
 */
export function endAccessTokens(store: RecordStore, siteId: string, id: string, unjudged?: number): Promise<void> {
  return rewrite(store, siteId, id, (grant) => ({ ...grant, unjudged }), true);
}

interface JudgeSources {
  readonly store: RecordStore;
  readonly access: Pick<Access, 'permissionAtRefresh'>;
  readonly onAudit: OnAudit;
}

/** Judges a connection that a decision has left to its next refresh: it ends, or is as all others from then on. */
export async function judgeAtRefresh(
  { store, access, onAudit }: JudgeSources,
  site: Site,
  { grant, app }: { readonly grant: GrantRecord; readonly app: string | undefined },
): Promise<void> {
  const { unjudged, accountId: memberId, clientId } = grant;
  if (unjudged === undefined) return;
  const id = grantIdOf(memberId, clientId);
  const judgement = judge(await access.permissionAtRefresh(site, grant));
  if (judgement === 'refused') {
    const parties = { clientId, memberId, connectionId: id, app };
    const details = { actor: { kind: 'client', id: clientId }, reason: 'rule_changed', ...parties } as const;
    await endGrants({ store, onAudit }, site.id, { memberId, grantId: id }, details);
  }
  // The mark of a later decision stays.
  if (judgement === 'kept')
    await rewrite(store, site.id, id, (now) =>
      now.unjudged === unjudged ? { ...now, unjudged: undefined } : undefined,
    );
}

/** Each lost attempt is another change of the same grant that came first. */
const maxAttempts = 100;

/** Changes what the store notes of a grant, and not what it gives. */
async function rewrite(
  store: RecordStore,
  siteId: string,
  id: string,
  change: (grant: GrantRecord) => GrantRecord | undefined,
  endsAccessTokens = false,
): Promise<void> {
  for (let i = 0; i < maxAttempts; i += 1) {
    const found = await store.find(siteId, 'Grant', id);
    const record = found && change(found.record);
    if (!record) return;
    const { accountId: memberId, clientId, app, exp } = record;
    const written = await store.save(siteId, {
      kind: 'Grant',
      id,
      record: serializeRecord('Grant', record),
      ttl: exp - epochSeconds(),
      memberId,
      clientId,
      app,
      replaces: found.text,
      endsAccessTokens,
    });
    if (written) return;
  }
  throw new Error(`a grant was changed ${maxAttempts} times by others while one change was written`);
}
