import type { GrantFilter } from '../../lib/contracts/store.ts';
import { nameOf, tagOf } from './keys.ts';
import { revoke as revokeScript } from './scripts/revoke.ts';
import type { CallRedis, Session } from './session.ts';

/** How many keys one script removes, plus those of its last grant: Redis serves no other call meanwhile. */
const maxKeys = 2000;

/** Removes grants with their codes and tokens, in several passes if there are very many. Each has its own deadline. */
export async function revoke(call: CallRedis, siteId: string, filter: GrantFilter): Promise<number> {
  let revoked = 0;
  for (;;) {
    const { grants, more } = await call(siteId, (session) => pass(session, filter));
    revoked += grants;
    if (!more) return revoked;
  }
}

async function pass(session: Session, { grantId, memberId, clientId }: GrantFilter) {
  const { keys } = session;
  const member = memberId === undefined ? keys.site : keys.member(memberId);
  const source = grantId === undefined ? member : keys.record('Grant', grantId);
  const args = [
    grantId === undefined ? '' : nameOf('Grant', grantId),
    clientId === undefined ? '' : tagOf(clientId),
    encodeURIComponent(clientId ?? ''),
    encodeURIComponent(memberId ?? ''),
  ];
  const run = async (named: readonly string[], sure: 0 | 1): Promise<string[]> => {
    const all = [keys.site, source, ...named];
    const durable = (reply: unknown): boolean => Number(items(reply)[0]) > 0;
    return items(await session.run({ script: revokeScript, keys: all, args: [...args, sure, maxKeys], durable }));
  };
  let [grants, ...rest] = await run([], 0);
  if (grants === '-1') {
    const base = keys.site.slice(0, -1);
    const named = rest.map((reference) => `${base}${reference}`);
    [grants, ...rest] = await run(named, 1);
  }
  return { grants: Number(grants), more: rest[0] === '1' };
}

function items(reply: unknown): string[] {
  if (!Array.isArray(reply)) throw new Error('unexpected reply of the revocation script');
  return reply.map(String);
}
