import type { AdapterPayload } from 'oidc-provider';
import type { IssuedToken, RedeemableKind } from '../contracts/store.ts';
import type { Form } from '../http/body.ts';
import { InvalidGrant } from '../protocol/errors.ts';
import type { RecordStore } from '../records/record-store.ts';
import { type ReplayBinding, seal, unseal } from '../records/replay.ts';
import { epochSeconds } from '../runtime/clock.ts';
import type { AuditEvent, OnAudit } from '../runtime/events.ts';

export interface RedemptionOptions {
  readonly store: Pick<RecordStore, 'redeem'>;
  readonly refreshGrace: number;
  readonly onAudit: OnAudit;
}

/**
 * The redemption of a code or refresh token. While the engine handles the token request, the adapter collects here what
 * the engine writes; `commit` then writes all of it in one compare-and-set, or nothing.
 */
export class PendingRedemption {
  readonly #tokens: IssuedToken[] = [];
  #consumed: { readonly kind: RedeemableKind; readonly id: string } | undefined;
  #grantId: string | undefined;
  #memberId: string | undefined;
  #clientId: string | undefined;

  add(token: IssuedToken, { grantId, accountId, clientId }: AdapterPayload): void {
    this.#tokens.push(token);
    this.#grantId = grantId;
    this.#memberId = accountId;
    this.#clientId = clientId;
  }

  consume(kind: RedeemableKind, id: string): void {
    this.#consumed = { kind, id };
  }

  /**
   * Returns the response to send: `response` for the request that redeems the record, and the stored response for the
   * same refresh request sent again within the grace window.
   *
   * @throws InvalidGrant when another request has redeemed the record
   */
  async commit(options: RedemptionOptions, siteId: string, form: Form, response: object): Promise<object> {
    const { store, refreshGrace, onAudit } = options;
    if (!this.#consumed || this.#grantId === undefined)
      throw new Error('the engine issued tokens without redeeming a code or refresh token');
    const what = this.#consumed.kind === 'RefreshToken' ? 'refresh' : 'token';
    const audit = (outcome: Pick<AuditEvent, 'decision' | 'reason'>): void =>
      onAudit({ what, ...outcome, siteId, clientId: this.#clientId, memberId: this.#memberId });

    const binding = replayBinding(siteId, form);
    const sealed = binding && refreshGrace > 0 ? seal(binding, response) : undefined;
    const outcome = await store.redeem(siteId, {
      ...this.#consumed,
      grantId: this.#grantId,
      now: epochSeconds(),
      tokens: this.#tokens,
      replay: sealed === undefined ? undefined : { sealed, ttl: refreshGrace },
    });
    if (outcome.won) {
      audit({ decision: 'allowed' });
      return response;
    }
    const replayed = binding && outcome.replay !== undefined ? unseal(binding, outcome.replay) : undefined;
    if (replayed) {
      audit({ decision: 'allowed', reason: 'replayed' });
      return replayed;
    }
    audit({ decision: 'refused', reason: 'lost_race' });
    throw new InvalidGrant('another request has redeemed or revoked this; use the response to that request');
  }
}

/** What a repeated refresh request must have in common with the first; `undefined` for the exchange of a code. */
function replayBinding(siteId: string, form: Form): ReplayBinding | undefined {
  const { refresh_token: refreshToken, client_id: clientId, scope = '' } = form;
  if (typeof refreshToken !== 'string' || typeof clientId !== 'string') return undefined;
  return { siteId, refreshToken, clientId, scope: String(scope) };
}
