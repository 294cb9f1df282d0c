import type { GrantFilter } from '../../lib/contracts/store.ts';
import { nameOf, type SiteKeys, tagOf } from './keys.ts';
import type { Session } from './run.ts';
import { revoke } from './scripts/revoke.ts';

/** How many keys one script removes, plus those of its last grant: Redis serves no other call meanwhile. */
const maxKeys = 2000;

interface Pass {
  readonly grants: number;
  readonly more: boolean;
}

/**
 * Removes grants with their codes and tokens: in one pass, or in several if there are very many. `call` gives each pass a
 * deadline of its own.
 */
export async function revokeGrants(
  call: (work: (session: Session, keys: SiteKeys) => Promise<Pass>) => Promise<Pass>,
  filter: GrantFilter,
): Promise<number> {
  let revoked = 0;
  for (;;) {
    const { grants, more } = await call((session, keys) => pass(session, keys, filter));
    revoked += grants;
    if (!more) return revoked;
  }
}

async function pass(session: Session, keys: SiteKeys, { grantId, memberId, clientId }: GrantFilter): Promise<Pass> {
  const member = memberId === undefined ? keys.site : keys.member(memberId);
  const source = grantId === undefined ? member : keys.record('Grant', grantId);
  const args = [
    grantId === undefined ? '' : nameOf('Grant', grantId),
    clientId === undefined ? '' : tagOf(clientId),
    clientId === undefined ? '' : encodeURIComponent(clientId),
    memberId === undefined ? '' : encodeURIComponent(memberId),
  ];
  const run = async (named: readonly string[], sure: 0 | 1): Promise<string[]> => {
    const all = [keys.site, source, ...named];
    const durable = (reply: unknown): boolean => Number(items(reply)[0]) > 0;
    return items(await session.run({ script: revoke, keys: all, args: [...args, sure, maxKeys], durable }));
  };
  let [grants, ...rest] = await run([], 0);
  if (grants === '-1') {
    const base = keys.site.slice(0, -1);
    [grants, ...rest] = await run(
      rest.map((reference) => `${base}${reference}`),
      1,
    );
  }
  return { grants: Number(grants), more: rest[0] === '1' };
}

function items(reply: unknown): string[] {
  if (!Array.isArray(reply)) throw new Error('unexpected reply of the revocation script');
  return reply.map(String);
}
