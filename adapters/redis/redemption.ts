import { randomBytes } from 'node:crypto';
import type { Entry, Redemption, RedemptionOutcome } from '../../lib/contracts/store.ts';
import type { SiteKeys } from './keys.ts';
import { nameOf } from './keys.ts';
import type { ScriptCall, Session } from './run.ts';
import { redeem } from './scripts/redeem.ts';
import { consumedMark, lifetime, tokenValue } from './values.ts';

/** How far Redis's clock is ahead of ours, in milliseconds, as last seen. */
export class ServerClock {
  #ahead = 0;

  /** Now, there. `Date.now` would do but for those who set it. */
  now(): number {
    return performance.timeOrigin + performance.now() + this.#ahead;
  }

  /** Sets it by an answer that has just arrived. */
  set(there: number): void {
    this.#ahead += there - this.now();
  }
}

/** The share of the time left that an answer needs for its way back, and clocks for their errors. */
const wayBack = 0.05;

/** How often a redemption is told that it comes too late, by a clock that we were wrong about, before it is a fault. */
const tries = 3;

/** Redeems; see the script for what happens in Redis. */
export async function runRedemption(
  session: Session,
  keys: SiteKeys,
  clock: ServerClock,
  redemption: Redemption,
): Promise<RedemptionOutcome> {
  const attempt = randomBytes(4).toString('base64url');
  for (let i = 0; i < tries; i += 1) {
    const notAfter = clock.now() + session.left * (1 - wayBack);
    const reply = await session.run(redeemCall(keys, redemption, attempt, notAfter));
    const [there, outcome, replay] = readReply(reply);
    clock.set(Number(there));
    if (outcome === 'won') return { won: true };
    if (outcome === 'lost') return replay === undefined ? { won: false } : { won: false, replay };
  }
  throw new Error('the clock of Redis jumps');
}

function redeemCall(keys: SiteKeys, redemption: Redemption, attempt: string, notAfter: number): ScriptCall {
  const { kind, id, now, entries, replay } = redemption;
  const grantId = onlyGrant(entries);
  const own = keys.reference(kind, id);
  // A refresh token leads on to what it came from, so the list of the grant can forget that.
  const leadsOn = entries.some((entry) => entry.kind === 'RefreshToken');
  return {
    script: redeem,
    keys: [
      keys.record(kind, id),
      keys.replay(kind, id),
      keys.record('Grant', grantId ?? ''),
      keys.manyTokens(grantId ?? ''),
      ...entries.map((entry) => keys.record(entry.kind, entry.id)),
    ],
    args: [
      consumedMark(now, attempt),
      attempt,
      Math.floor(notAfter),
      replay?.sealed ?? '',
      lifetime(replay?.ttl),
      nameOf('Grant', grantId ?? ''),
      leadsOn ? own : '',
      ...entries.flatMap((entry) => [
        tokenValue({ ...entry, previous: entry.kind === 'RefreshToken' ? own : undefined }),
        lifetime(entry.ttl),
        keys.reference(entry.kind, entry.id),
      ]),
    ],
    durable: (reply) => {
      const [, outcome, sealed] = readReply(reply);
      return outcome === 'won' || sealed !== undefined;
    },
  };
}

/** Scripts of a redemption write codes and tokens, all of one grant. */
function onlyGrant(entries: readonly Entry[]): string | undefined {
  const kinds = ['AuthorizationCode', 'AccessToken', 'RefreshToken'];
  const grants = new Set(entries.map(({ grantId }) => grantId));
  if (grants.size > 1 || entries.some(({ kind }) => !kinds.includes(kind))) {
    throw new TypeError('a redemption writes codes and tokens of one grant');
  }
  return entries[0]?.grantId;
}

function readReply(reply: unknown): (string | undefined)[] {
  if (!Array.isArray(reply)) throw new Error('the script answered something else');
  return reply.map((item) => (item === null ? undefined : String(item)));
}
