import { digest } from '../../lib/kernel/crypto.ts';
import { grantIdOf } from '../../lib/records/codec.ts';
import type { Store } from '../../lib/store.ts';

interface Use {
  /** @default 1 */
  readonly people?: number;
  /** What it has registered as. @default it is in code */
  readonly name?: string;
  readonly app?: { readonly id: string; readonly verified: boolean };
  /** When it last received tokens, in seconds since the epoch. */
  readonly at: number;
  /** When people have allowed it. @default now */
  readonly allowedAt?: number;
  /** @default 'openid' */
  readonly scope?: string;
  /** The origin of the school. @default none, where what it may do is not looked at */
  readonly resource?: string;
}

/** Stores what there is of a client that people have connected at Harbour School. */
export async function useClient(store: Store, clientId: string, use: Use): Promise<void> {
  const { people = 1, name, app, at, allowedAt = Math.floor(Date.now() / 1000) } = use;
  const { scope = 'openid', resource = '' } = use;
  const save = (kind: 'ConnectedClient' | 'ConnectedApp', id: string, record: object): Promise<boolean> =>
    store.save('harbour', { kind, id, record: JSON.stringify({ v: 1, at, ...record }), listed: true });
  const noted = { client_id: clientId, client_name: name, app: app?.id };
  const named = app && { campus_app: { ...app, name } };
  await save('ConnectedClient', digest(clientId), { ...noted, ...named });
  const key = app && (app.verified ? app.id : `${app.id}?`);
  if (key !== undefined) await save('ConnectedApp', key, {});
  const lifetime = 1000;
  const times = { iat: allowedAt, exp: allowedAt + lifetime };
  for (let i = 0; i < people; i += 1) {
    const parties = { memberId: `member-${i}`, clientId };
    const grant = { v: 2, accountId: parties.memberId, clientId, app: key, scope, declined: '', ...times };
    const record = JSON.stringify({ ...grant, resource });
    const id = grantIdOf(parties.memberId, clientId);
    await store.save('harbour', { kind: 'Grant', id, record, ttl: lifetime, ...parties, app: key });
  }
}
