import { randomBytes } from 'node:crypto';
import type { Redemption, RedemptionOutcome } from '../../lib/contracts/store.ts';
import { redeem as redeemScript } from './scripts/redeem.ts';
import type { Session } from './session.ts';
import { lifetime } from './values.ts';

/** The clock of the Redis server, estimated from its last reply. */
export class ServerClock {
  /** Milliseconds by which the server's clock is ahead of ours. */
  #ahead = 0;

  /** Milliseconds since the epoch. `Date.now` would jump when the clock of this machine is set. */
  now(): number {
    return performance.timeOrigin + performance.now() + this.#ahead;
  }

  set(there: number): void {
    this.#ahead += there - this.now();
  }
}

/** The share of the time left that is reserved for the way back of the reply and for errors of the clocks. */
const wayBack = 0.05;

/** How often a redemption may be late because the clock was wrong, until it is a fault. */
const maxAttempts = 3;

export async function redeem(session: Session, clock: ServerClock, redemption: Redemption): Promise<RedemptionOutcome> {
  const attempt = randomBytes(4).toString('base64url');
  for (let i = 0; i < maxAttempts; i += 1) {
    const notAfter = clock.now() + session.left * (1 - wayBack);
    const [there, outcome, more] = await runScript(session, redemption, attempt, notAfter);
    clock.set(Number(there));
    if (outcome === 'won') return { won: true };
    if (outcome === 'limited') return { won: false, retryAfter: Math.ceil(Number(more) / 1000) };
    if (outcome === 'lost') return more === undefined ? { won: false } : { won: false, replay: more };
  }
  throw new Error('the clock of Redis jumps');
}

async function runScript(session: Session, redemption: Redemption, attempt: string, notAfter: number) {
  const { kind, id, grantId, epoch = 0, now, tokens, replay, quota } = redemption;
  const { keys } = session;
  const reply = await session.run({
    script: redeemScript,
    keys: [
      keys.record(kind, id),
      keys.replay(kind, id),
      keys.record('Grant', grantId),
      keys.counter(quota?.name ?? ''),
      ...tokens.map((token) => keys.record(token.kind, token.id)),
    ],
    args: [
      `${now}.${attempt}`,
      attempt,
      Math.floor(notAfter),
      replay?.sealed ?? '',
      lifetime(replay?.ttl),
      epoch,
      quota?.limit ?? '',
      lifetime(quota?.window),
      ...tokens.flatMap((token) => [token.record, lifetime(token.ttl)]),
    ],
    durable: (found) => {
      const [, outcome, sealed] = readReply(found);
      return outcome === 'won' || (outcome === 'lost' && sealed !== undefined);
    },
  });
  return readReply(reply);
}

function readReply(reply: unknown): (string | undefined)[] {
  if (!Array.isArray(reply)) throw new Error('unexpected reply of the redemption script');
  return reply.map((item) => (item === null ? undefined : String(item)));
}
