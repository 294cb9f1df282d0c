import type { AdapterPayload } from 'oidc-provider';
import type { ClientActive } from '../connections/connected-clients.ts';
import type { Limits } from '../contracts/limits.ts';
import type { RecordKind, RedeemableKind } from '../contracts/record.ts';
import type { IssuedToken, Redemption } from '../contracts/store.ts';
import type { Form } from '../http/body.ts';
import { InvalidGrant } from '../protocol/errors.ts';
import { slowDown } from '../rate-limit/limiter.ts';
import type { RecordStore } from '../records/record-store.ts';
import { type ReplayBinding, seal, unseal } from '../records/replay.ts';
import { epochSeconds } from '../runtime/clock.ts';
import type { AuditAction, AuditDetails, OnAudit } from '../runtime/audit-event.ts';

export interface RedemptionOptions {
  readonly store: Pick<RecordStore, 'redeem'>;
  readonly refreshGrace: number;
  readonly limits: Pick<Limits, 'refreshes'> | false;
  readonly onAudit: OnAudit;
  readonly clientActive: ClientActive;
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
  #familyId: string | undefined;
  #epoch = 0;

  /** Remembers of a record that the engine found what the redemption depends on. */
  found(
    kind: RecordKind,
    { familyId, epoch }: { readonly familyId: string | undefined; readonly epoch: number },
  ): void {
    this.#familyId = familyId ?? this.#familyId;
    if (kind === 'Grant') this.#epoch = epoch;
  }

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
   * @throws InvalidGrant when another request has redeemed the record, `slow_down` above the limit of refreshes
   */
  async commit(options: RedemptionOptions, siteId: string, form: Form, response: object): Promise<object> {
    const { store, refreshGrace, onAudit } = options;
    if (!this.#consumed || this.#grantId === undefined)
      throw new Error('the engine issued tokens without redeeming a code or refresh token');
    const isRefresh = this.#consumed.kind === 'RefreshToken';
    const grantType = isRefresh ? 'refresh_token' : 'authorization_code';
    const audit = (action: AuditAction, reason?: string): void =>
      onAudit({ action, siteId, reason, grantType, ...this.#parties() });

    const binding = replayBinding(siteId, form);
    const sealed = binding && refreshGrace > 0 ? seal(binding, response) : undefined;
    const outcome = await store.redeem(siteId, {
      ...this.#consumed,
      grantId: this.#grantId,
      epoch: this.#epoch,
      now: epochSeconds(),
      tokens: this.#tokens,
      replay: sealed === undefined ? undefined : { sealed, ttl: refreshGrace },
      quota: isRefresh ? this.#quota(options, this.#grantId) : undefined,
    });
    if (outcome.won) {
      audit(isRefresh ? 'token.refreshed' : 'token.issued');
      await options.clientActive(siteId, this.#clientId ?? '');
      return response;
    }
    const replayed = binding && outcome.replay !== undefined ? unseal(binding, outcome.replay) : undefined;
    if (replayed) {
      audit('token.replayed');
      return replayed;
    }
    if (outcome.retryAfter !== undefined) {
      audit('quota.exceeded', 'refreshes');
      throw slowDown(outcome.retryAfter);
    }
    audit('token.lost_race');
    throw new InvalidGrant('another request has redeemed or revoked this; use the response to that request');
  }

  #parties(): Omit<AuditDetails, 'action' | 'siteId'> {
    const clientId = this.#clientId;
    const actor = { kind: 'client', id: clientId } as const;
    return { actor, clientId, memberId: this.#memberId, connectionId: this.#grantId, familyId: this.#familyId };
  }

  #quota({ limits }: RedemptionOptions, grantId: string): Redemption['quota'] {
    if (limits === false) return undefined;
    return { name: `refreshes:${grantId}:${this.#familyId}`, limit: limits.refreshes.perFamily, window: 60 * 60 };
  }
}

/** What a repeated refresh request must have in common with the first; `undefined` for the exchange of a code. */
function replayBinding(siteId: string, form: Form): ReplayBinding | undefined {
  const { refresh_token: refreshToken, client_id: clientId, scope = '' } = form;
  if (typeof refreshToken !== 'string' || typeof clientId !== 'string') return undefined;
  return { siteId, refreshToken, clientId, scope: String(scope) };
}
