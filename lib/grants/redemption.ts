import type { Site } from '../contracts/platform.ts';
import type { RedeemableKind } from '../contracts/record.ts';
import type { IssuedToken } from '../contracts/store.ts';
import { field, type Form } from '../http/body.ts';
import { InvalidGrant } from '../protocol/errors.ts';
import { slowDown } from '../rate-limit/limiter.ts';
import type { Core } from '../records/core.ts';
import { type ReplayBinding, seal, unseal } from '../records/sealing.ts';
import { epochSeconds } from '../runtime/timeout.ts';
import type { AuditAction } from '../runtime/audit-event.ts';

export interface RedemptionOptions extends Pick<Core, 'store' | 'lifetimes' | 'limits' | 'onAudit'> {
  readonly clientActive: ClientActive;
}

/** Notes that a client has received tokens at a school, with a secret if it has one. Never rejects: the tokens have been issued. */
export type ClientActive = (siteId: string, clientId: string, secret: string | undefined) => Promise<void>;

interface TokenParties {
  readonly grantId?: string | undefined;
  readonly accountId?: string | undefined;
  readonly clientId?: string | undefined;
}

interface AnsweredRequest {
  readonly site: Site;
  readonly form: Form;
  readonly response: object;
  /** The family of the code or refresh token, and its grant, as the engine read them. */
  readonly familyId: string | undefined;
  readonly grant: { readonly epoch: number } | undefined;
}

/** Collects what the engine writes at the token endpoint; `commit` writes it in one compare-and-set, or nothing. */
export class PendingRedemption {
  readonly #tokens: IssuedToken[] = [];
  #consumed: { readonly kind: RedeemableKind; readonly id: string } | undefined;
  #parties: TokenParties = {};

  add(token: IssuedToken, { grantId, accountId, clientId }: TokenParties): void {
    this.#tokens.push(token);
    this.#parties = { grantId, accountId, clientId };
  }

  consume(kind: RedeemableKind, id: string): void {
    this.#consumed = { kind, id };
  }

  /** For the same refresh again, the stored response. @throws InvalidGrant if it was redeemed before, `slow_down` above the limit */
  async commit(options: RedemptionOptions, request: AnsweredRequest): Promise<object> {
    const { store, onAudit } = options;
    const { site, form, response, familyId, grant } = request;
    const [siteId, limits, { refreshGrace }] = [site.id, options.limits(site), options.lifetimes(site)];
    const { grantId, accountId: memberId, clientId = '' } = this.#parties;
    if (!this.#consumed || grantId === undefined)
      throw new Error('the engine issued tokens without redeeming a code or refresh token');
    const isRefresh = this.#consumed.kind === 'RefreshToken';
    const grantType = isRefresh ? 'refresh_token' : 'authorization_code';
    const actor = { kind: 'client', id: clientId } as const;
    const parties = { siteId, grantType, actor, clientId, memberId, connectionId: grantId, familyId } as const;
    const audit = (action: AuditAction, reason?: string): void => onAudit({ action, reason, ...parties });

    const binding = replayBinding(siteId, form);
    const sealed = binding && refreshGrace > 0 ? seal(binding, response) : undefined;
    const outcome = await store.redeem(siteId, {
      ...this.#consumed,
      grantId,
      epoch: grant?.epoch ?? 0,
      now: epochSeconds(),
      tokens: this.#tokens,
      replay: sealed === undefined ? undefined : { sealed, ttl: refreshGrace },
      quota:
        isRefresh && limits !== false
          ? { name: `refreshes:${grantId}:${familyId}`, limit: limits.refreshes.perFamily, window: 60 * 60 }
          : undefined,
    });
    if (outcome.won) {
      audit(isRefresh ? 'token.refreshed' : 'token.issued');
      await options.clientActive(siteId, clientId, field(form, 'client_secret'));
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
}

/** What a repeated refresh request must have in common with the first; `undefined` for the exchange of a code. */
function replayBinding(siteId: string, form: Form): ReplayBinding | undefined {
  const { refresh_token: refreshToken, client_id: clientId, scope = '' } = form;
  if (typeof refreshToken !== 'string' || typeof clientId !== 'string') return undefined;
  return { siteId, refreshToken, clientId, scope: String(scope) };
}
