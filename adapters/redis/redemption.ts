import { randomUUID } from 'node:crypto';
import type { Redemption, RedemptionOutcome } from '../../lib/contracts/store.ts';
import { redeem as redeemScript } from './scripts/redeem.ts';
import type { Session } from './session.ts';
import { lifetime } from './values.ts';

export async function redeem(session: Session, redemption: Redemption): Promise<RedemptionOutcome> {
  const { kind, id, grantId, epoch = 0, now, tokens, replay, quota } = redemption;
  const { keys } = session;
  // 32 random bits. Node has those of UUIDs in stock.
  const attempt = randomUUID().slice(0, 8);
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
      replay?.sealed ?? '',
      lifetime(replay?.ttl),
      epoch,
      quota?.limit ?? '',
      lifetime(quota?.window),
      ...tokens.flatMap((token) => [token.record, lifetime(token.ttl)]),
    ],
    durable: (found) => {
      const outcome = readOutcome(found);
      return outcome.won || outcome.replay !== undefined;
    },
  });
  return readOutcome(reply);
}

function readOutcome(reply: unknown): RedemptionOutcome {
  if (!Array.isArray(reply)) throw new Error('unexpected reply of the redemption script');
  const [outcome, more] = reply.map((item) => (item === null ? undefined : String(item)));
  if (outcome === 'won') return { won: true };
  if (outcome === 'limited') return { won: false, retryAfter: Math.ceil(Number(more) / 1000) };
  return more === undefined ? { won: false } : { won: false, replay: more };
}
