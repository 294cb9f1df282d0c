import dns, { type LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { SharedRoom } from '../../kernel/shared-room.ts';
import { unusedShare } from './budget.ts';
import { UnreachableDocument } from './read-document.ts';

/** The addresses of a host. Whatever it holds is released when the signal is aborted. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>;

/** The same, for a school, and for a document that is used or not. */
export type LimitedResolve = (
  host: string,
  signal: AbortSignal,
  reason: { readonly siteId: string; readonly used: boolean },
) => Promise<readonly LookupAddress[]>;

/**
 * Look-ups of a process at a time; one school has half of them at most. Strangers choose the hosts, and so the name servers that respond late or
 * never.
 */
const maxLookups = 128;

/**
 * Limits the look-ups of a process, shares them among the schools, and leaves a reserve to used documents. A look-up counts until it settles or its signal is
 * aborted, whichever is first. Listeners of a signal run before the caller learns that the fetch has failed, so it can begin
 * another at once.
 *
 * @throws UnreachableDocument if there are too many
 */
export function limitLookups(resolve: Resolve): LimitedResolve {
  const room = new SharedRoom(maxLookups);
  return async (host, signal, { siteId, used }) => {
    const leave = room.enter(siteId, { open: used ? maxLookups : maxLookups * unusedShare });
    if (!leave) throw new UnreachableDocument('cannot be fetched at the moment: too many are on the way');
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await resolve(host, signal);
    } finally {
      signal.removeEventListener('abort', leave);
      leave();
    }
  };
}

/**
 * Asks the name servers of the process for A and AAAA records at once. `dns.lookup` would hold one of the four threads that all name
 * resolution and file access of the process shares, and could not be cancelled. `/etc/hosts`, search domains and NSS are not used:
 * they name hosts of the network inside.
 */
export const askNameServers: Resolve = async (host, signal) => {
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family }];
  signal.throwIfAborted();
  const resolver = new Resolver({ timeout: 1000, tries: 2 });
  // Through the module: `dns.setServers` replaces its functions.
  resolver.setServers(dns.getServers());
  signal.addEventListener('abort', () => resolver.cancel(), { once: true });
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = answers.flatMap((answer, i) =>
    answer.status === 'rejected' ? [] : answer.value.map((address) => ({ address, family: i === 0 ? 4 : 6 })),
  );
  // Many hosts have one family only, and some name servers fail on the other.
  const [failed] = answers.filter((answer) => answer.status === 'rejected');
  if (addresses.length === 0 && failed) throw failed.reason;
  return addresses;
};
