import { randomBytes } from 'node:crypto';
import type { Redemption, RedemptionOutcome } from '../../lib/contracts/store.ts';
import { redeem as redeemScript } from './scripts/redeem.ts';
import type { Session } from './session.ts';
import { lifetime } from './values.ts';

export async function redeem(session: Session, redemption: Redemption): Promise<RedemptionOutcome> {
  const { kind, id, grantId, now, tokens, replay } = redemption;
  const { keys } = session;
  const attempt = randomBytes(4).toString('base64url');
  const reply = await session.run({
    script: redeemScript,
    keys: [
      keys.record(kind, id),
      keys.replay(kind, id),
      keys.record('Grant', grantId),
      ...tokens.map((token) => keys.record(token.kind, token.id)),
    ],
    args: [
      `${now}.${attempt}`,
      attempt,
      replay?.sealed ?? '',
      lifetime(replay?.ttl),
      ...tokens.flatMap((token) => [token.record, lifetime(token.ttl), token.kind === 'RefreshToken' ? 1 : 0]),
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
  const [outcome, replay] = reply.map((item) => (item === null ? undefined : String(item)));
  if (outcome === 'won') return { won: true };
  return replay === undefined ? { won: false } : { won: false, replay };
}
