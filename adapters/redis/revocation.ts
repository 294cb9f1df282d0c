import type { GrantFilter } from '../../lib/contracts/store.ts';
import { nameOf, type SiteKeys, tagOf } from './keys.ts';
import type { Session } from './run.ts';
import { revoke } from './scripts/revoke.ts';

/** How many keys one script removes, give or take a grant: it holds up everybody else meanwhile. */
const most = 2000;

/** What a pass has removed, and whether there is more. */
interface Pass {
  readonly grants: number;
  readonly more: boolean;
}

/**
 * Removes grants with all that hangs on them, in one pass or, where there are very many, in several; `call` gives each
 * its own deadline.
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
    return items(await session.run({ script: revoke, keys: all, args: [...args, sure, most], durable }));
  };
  let [grants, ...rest] = await run([], 0);
  if (grants === '-1') {
    const base = keys.site.slice(0, -1);
    [grants, ...rest] = await run(
      rest.map((end) => `${base}${end}`),
      1,
    );
  }
  return { grants: Number(grants), more: rest[0] === '1' };
}

function items(reply: unknown): string[] {
  if (!Array.isArray(reply)) throw new Error('Redis answered something else');
  return reply.map(String);
}
