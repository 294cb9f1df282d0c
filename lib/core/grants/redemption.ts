import type { Site } from '../../host/school-platform.ts';
import type { NewRecord, RedeemableKind } from '../../records/record.ts';
import type { IssuedToken } from '../../records/store.ts';
import { field, type Form } from '../../http/body.ts';
import { InvalidGrant } from '../../kernel/errors.ts';
import { slowDown } from '../limits/request-limiters.ts';
import { type ReplayBinding, seal, unseal } from '../../records/sealed-responses.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import type { AuditAction } from '../../observe/audit-event.ts';
import type { Core } from '../core.ts';

/** With what tokens are redeemed. */
export interface RedemptionOptions {
  readonly core: Core;
  readonly clientActive: ClientActive;
}

/** A client that is noted as connected, with the app that its record names. */
export interface NotedClient {
  readonly clientId: string;
  readonly app: string | undefined;
}

/** Notes that a client has received tokens at a school, with the mark of its secret if it has one. Never rejects: the tokens have been issued. */
export type ClientActive = (siteId: string, client: NotedClient, secret: string | undefined) => Promise<void>;

/** Notes that a client is connected, so that a rule for its app finds it. */
export type NoteClient = (siteId: string, client: NotedClient) => Promise<void>;

const hour = 60 * 60;

interface TokenParties {
  /** The thumbprint of the key to which the tokens are bound. */
  readonly jkt?: string | undefined;
  readonly grantId?: string | undefined;
  readonly accountId?: string | undefined;
  readonly clientId?: string | undefined;
}

export interface AnsweredRequest {
  readonly site: Site;
  readonly form: Form;
  /** The engine's response with status 200. */
  readonly response: object;
  /** The app that the record of a client names, once it has been looked up. */
  readonly appOf: (clientId: string) => string | undefined;
  /** The mark of the secret with which the client has authenticated. */
  readonly secret: string | undefined;
  /** The family of the code or refresh token, and its grant, as the engine read them. */
  readonly familyId: string | undefined;
  readonly grant: { readonly epoch: number } | undefined;
}

/** Collects what the engine writes at the token endpoint; `commit` writes it in one compare-and-set, or nothing. */
export class PendingRedemption {
  readonly #tokens: IssuedToken[] = [];
  #consumed: { readonly kind: RedeemableKind; readonly id: string } | undefined;
  #service: NewRecord | undefined;
  #parties: TokenParties = {};

  add(token: IssuedToken, { grantId, accountId, clientId, jkt = this.#parties.jkt }: TokenParties): void {
    this.#tokens.push(token);
    this.#parties = { grantId, accountId, clientId, jkt };
  }

  /** The token of a service, which redeems nothing. */
  addService(token: NewRecord, clientId: string | undefined): void {
    this.#service = token;
    this.#parties = { clientId };
  }

  consume(kind: RedeemableKind, id: string): void {
    this.#consumed = { kind, id };
  }

  /** For the same refresh again, the stored response. @throws InvalidGrant if it was redeemed before, `slow_down` above the limit */
  async commit(options: RedemptionOptions, request: AnsweredRequest): Promise<object> {
    if (this.#service) return issueToService(options, request, this.#service, this.#parties.clientId ?? '');
    const { records, limits, audit } = options.core;
    const { site, form, response, secret, familyId, grant } = request;
    const [siteId, quotas, { refreshGrace }] = [site.id, limits.limits(site), limits.lifetimes(site)];
    const { grantId, accountId: memberId, clientId = '', jkt } = this.#parties;
    if (!this.#consumed || grantId === undefined)
      throw new Error('the engine issued tokens without redeeming a code or refresh token');
    const isRefresh = this.#consumed.kind === 'RefreshToken';
    const grantType = field(form, 'grant_type');
    const actor = { kind: 'client', id: clientId } as const;
    const client = { clientId, app: request.appOf(clientId) };
    const parties = { siteId, grantType, actor, ...client, memberId, connectionId: grantId, familyId } as const;
    const report = (action: AuditAction, reason?: string): void => audit.onAudit({ action, reason, ...parties });

    const binding = replayBinding(siteId, { clientId, jkt }, form);
    const sealed = binding && refreshGrace > 0 ? seal(binding, response) : undefined;
    const outcome = await records.store.redeem(siteId, {
      ...this.#consumed,
      grantId,
      epoch: grant?.epoch ?? 0,
      now: epochSeconds(),
      tokens: this.#tokens,
      replay: sealed === undefined ? undefined : { sealed, ttl: refreshGrace },
      quota:
        isRefresh && quotas !== false
          ? { name: `refreshes:${grantId}:${familyId}`, limit: quotas.refreshes.perFamily, window: hour }
          : undefined,
    });
    if (outcome.won) {
      report(isRefresh ? 'token.refreshed' : 'token.issued');
      await options.clientActive(siteId, client, secret);
      return response;
    }
    const replayed = binding && outcome.replay !== undefined ? unseal(binding, outcome.replay) : undefined;
    if (replayed) {
      report('token.replayed');
      return replayed;
    }
    if (outcome.retryAfter !== undefined) {
      report('quota.exceeded', 'refreshes');
      throw slowDown(outcome.retryAfter);
    }
    report('token.lost_race');
    throw new InvalidGrant('another request has redeemed or revoked this; use the response to that request');
  }
}

async function issueToService(
  { core, clientActive }: RedemptionOptions,
  { site, form, response, secret, appOf }: AnsweredRequest,
  token: NewRecord,
  clientId: string,
): Promise<object> {
  const { records, limits, audit } = core;
  const { id: siteId } = site;
  const actor = { kind: 'client', id: clientId } as const;
  const client = { clientId, app: appOf(clientId) };
  const parties = { siteId, grantType: field(form, 'grant_type'), actor, ...client };
  const all = limits.limits(site);
  const quotas = all === false ? [] : [{ name: `services:${clientId}`, limit: all.refreshes.perFamily }];
  const wait = await records.store.consumeQuota(siteId, quotas, hour);
  if (wait !== undefined) {
    audit.onAudit({ action: 'quota.exceeded', reason: 'refreshes', ...parties });
    throw slowDown(wait);
  }
  await records.store.save(siteId, token);
  audit.onAudit({ action: 'token.issued', ...parties });
  await clientActive(siteId, client, secret);
  return response;
}

/** What a repeated refresh request must have in common with the first; `undefined` for the exchange of a code. */
function replayBinding(
  siteId: string,
  { clientId, jkt }: { readonly clientId: string; readonly jkt: string | undefined },
  form: Form,
): ReplayBinding | undefined {
  const { refresh_token: refreshToken, scope = '' } = form;
  if (typeof refreshToken !== 'string') return undefined;
  return { siteId, refreshToken, clientId, scope: String(scope), jkt };
}
