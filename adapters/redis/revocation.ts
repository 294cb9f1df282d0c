import type { GrantFilter } from '../../lib/contracts/store.ts';
import { nameOf, type SiteKeys, tagOf } from './keys.ts';
import type { Session } from './run.ts';
import { revoke } from './scripts/revoke.ts';

/** How many keys one script removes at most, give or take a grant: it holds up everybody else meanwhile. */
const most = 2000;

/** Removes grants with all that hangs on them: one script, or several where there are very many. */
export async function revokeGrants(session: Session, keys: SiteKeys, filter: GrantFilter): Promise<number> {
  const { grantId, memberId, clientId } = filter;
  const source =
    grantId !== undefined ? keys.record('Grant', grantId) : memberId !== undefined ? keys.member(memberId) : keys.site;
  const args = [
    grantId === undefined ? '' : nameOf('Grant', grantId),
    clientId === undefined ? '' : tagOf(clientId),
    clientId === undefined ? '' : encodeURIComponent(clientId),
    memberId === undefined ? '' : encodeURIComponent(memberId),
  ];
  let revoked = 0;
  for (;;) {
    const run = (found: readonly string[], sure: 0 | 1): Promise<unknown> =>
      session.run({
        script: revoke,
        keys: [keys.site, source, ...found],
        args: [...args, sure, most],
        durable: () => sure === 1 || true,
      });
    const [grants, ...rest] = items(await run([], 0));
    const [count, more] = grants === -1 ? items(await run(rest.map((end) => `${base(keys)}${String(end)}`), 1)) : [grants, ...rest];
    revoked += Number(count);
    if (Number(more) !== 1) return revoked;
  }
}
