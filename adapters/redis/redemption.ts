import { randomBytes } from 'node:crypto';
import type { Entry, Redemption, RedemptionOutcome } from '../../lib/contracts/store.ts';
import type { SiteKeys } from './keys.ts';
import type { ScriptCall, Session } from './run.ts';
import { redeem } from './scripts/redeem.ts';
import { consumedMark, lifetime, tokenValue } from './values.ts';

/** The clock of the Redis server, estimated from its last reply. */
export class ServerClock {
  /** Milliseconds by which the server's clock is ahead of ours. */
  #ahead = 0;

  /** Milliseconds since the epoch. `Date.now` would jump when somebody sets the clock of this machine. */
  now(): number {
    return performance.timeOrigin + performance.now() + this.#ahead;
  }

  /** Sets the clock by a reply that has just arrived. */
  set(there: number): void {
    this.#ahead += there - this.now();
  }
}

/** The share of the time left that is reserved for the way back of the reply and for errors of the clocks. */
const wayBack = 0.05;

/** How often a redemption may be late by a clock that was wrong, until it is a fault. */
const maxAttempts = 3;

/** Redeems a code or refresh token by the script `redeem`. */
export async function runRedemption(
  session: Session,
  keys: SiteKeys,
  clock: ServerClock,
  redemption: Redemption,
): Promise<RedemptionOutcome> {
  const attempt = randomBytes(4).toString('base64url');
  for (let i = 0; i < maxAttempts; i += 1) {
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
  const hasSuccessor = entries.some((entry) => entry.kind === 'RefreshToken');
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
      hasSuccessor ? 1 : 0,
      ...entries.flatMap((entry) => [
        tokenValue({ ...entry, previous: entry.kind === 'RefreshToken' ? keys.reference(kind, id) : undefined }),
        lifetime(entry.ttl),
      ]),
    ],
    durable: (reply) => {
      const [, outcome, sealed] = readReply(reply);
      return outcome === 'won' || sealed !== undefined;
    },
  };
}

/** The grant of the entries: codes and tokens, all of one grant. */
function onlyGrant(entries: readonly Entry[]): string | undefined {
  const kinds = ['AuthorizationCode', 'AccessToken', 'RefreshToken'];
  const grants = new Set(entries.map(({ grantId }) => grantId));
  if (grants.size > 1 || entries.some(({ kind }) => !kinds.includes(kind))) {
    throw new TypeError('a redemption writes codes and tokens of one grant');
  }
  return entries[0]?.grantId;
}

function readReply(reply: unknown): (string | undefined)[] {
  if (!Array.isArray(reply)) throw new Error('unexpected reply of the redemption script');
  return reply.map((item) => (item === null ? undefined : String(item)));
}
