import { tokenKinds } from '../records/record-store.ts';
import { audienceOf, isFirstParty, personAudience } from '../core/clients/client-metadata.ts';
import compose from 'koa-compose';
import { type errors, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Telemetry } from '../observe/telemetry.ts';
import { ServerError } from '../kernel/errors.ts';
import type { Core } from '../core/core.ts';
import type { CheckedKeys, KeySite } from '../core/keys/keys.ts';
import type { Enabled } from '../core/enabled/enabled.ts';
import type { ScopeCatalogue } from '../core/scopes/scopes.ts';
import type { AuditAction, AuditActor, OnAudit } from '../observe/audit-event.ts';
import {
  engineConfiguration,
  type EngineInteractions,
  type EngineOptions,
  type SiteProtocol,
} from './configuration.ts';
import { codeOf, errorClarifier, isReuse, isWaiting } from './engine-errors.ts';
import type { EngineFeature, EngineListener } from './engine-feature.ts';
import { authenticates, patchEngine } from './engine-patches.ts';
import { boundedIssue } from './id-token-size.ts';
import { type ClientMetadata, grantIdOf } from '../records/codec.ts';
import { type EngineRequest, requestOf } from './engine-request.ts';
import { claimsOf } from '../observe/claimed-metadata.ts';
import { isAuthorizationRefusal } from '../observe/authorization-refusals.ts';
import { refusalReason } from './refusal-events.ts';
import { boundedCache } from '../kernel/bounded-cache.ts';
import type { TokenParties } from '../observe/request-trace.ts';

export type EngineContext = ReturnType<Provider['createContext']>;

interface StartedProvider {
  readonly provider: Provider;
  readonly handle: (ctx: EngineContext) => Promise<void>;
}

export interface Engine extends StartedProvider {
  context(request: EngineRequest, url: string, form?: string): EngineContext;
  /** Whether a secret, or none, shows that this client sends a request. `false` says nothing: then the engine decides. */
  authenticates(client: ClientMetadata, secret: string | undefined): boolean;
}

/** Makes the engines of schools. Those with the same protocol and keys share one `oidc-provider`, until no request needs it. */
export function engineMaker(options: EngineOptions): (site: KeySite, keys: CheckedKeys) => Engine {
  const issueBounded = boundedIssue(options.core.audit.onFault);
  const start = (protocol: SiteProtocol, keys: CheckedKeys): StartedProvider => {
    const provider = new Provider(`${protocol}//no-site.invalid`, engineConfiguration(options, keys, protocol));
    // The request view names the protocol in `X-Forwarded-Proto`, as a proxy does.
    provider.proxy = true;
    patchEngine(provider, { keys, addedClaims: options.core.host.addedClaims, issueBounded });
    reportEvents(provider, options);
    return { provider, handle: compose<EngineContext>(provider.middleware) };
  };
  const started = {
    'http:': new WeakMap<CheckedKeys, StartedProvider>(),
    'https:': new WeakMap<CheckedKeys, StartedProvider>(),
  };
  return ({ origin: text }, keys) => {
    const origin = new URL(text);
    const protocol = origin.protocol === 'https:' ? 'https:' : 'http:';
    const { provider, handle } = started[protocol].get(keys) ?? start(protocol, keys);
    started[protocol].set(keys, { provider, handle });
    return {
      provider,
      context: (request, url, form) => provider.createContext(request.message(url, origin, form), request.ctx.res),
      handle,
      authenticates: (client, secret) => authenticates(provider, client, secret),
    };
  };
}

function reportEvents(provider: Provider, { core, enabled, features }: EngineOptions): void {
  const { onFault, onAudit } = core.audit;
  auditEngine(provider, onAudit, enabled);
  const clarify = errorClarifier(enabled, features);
  provider.on('grant.error', clarify);
  provider.on('revocation.error', clarify);
  provider.on('introspection.error', clarify);
  for (const { prepare } of features) prepare?.(provider, { clarify, refused: noteRefusal });
  provider.on('server_error', (ctx, error) => {
    onFault('the engine failed', error);
    if (typeof ctx.body === 'object') ctx.body = new ServerError(error).toJSON();
  });
}

export type EngineFinder = (site: KeySite) => Engine;

interface EngineSettings {
  readonly catalogue: ScopeCatalogue;
  readonly enabled: Enabled;
  /** How many schools have an engine in memory. */
  readonly engines: number;
}

/** The engine of each school. */
export function createEngine(
  { catalogue, enabled, engines }: EngineSettings,
  core: Core,
  interactions: EngineInteractions,
  features: readonly EngineFeature[],
): EngineFinder {
  const { keys, audit } = core;
  const make = engineMaker({ core, catalogue, enabled, interactions, features });
  return createRegistry(make, engines, (site) => keys.of(site), audit.telemetry);
}

/** Makes the engine of a school on first use and keeps those last used; a school whose origin or keys changed gets a new one. */
export function createRegistry<E extends object>(
  make: (site: KeySite, keys: CheckedKeys) => E,
  max: number,
  keysOf: (site: KeySite) => CheckedKeys,
  telemetry?: Telemetry,
): (site: KeySite) => E {
  const engines = boundedCache<{ readonly engine: E; readonly keys: CheckedKeys }>(
    max,
    telemetry && { dispose: () => telemetry.engines(-1) },
  );
  return ({ id, origin }) => {
    const key = `${id} ${origin}`;
    const keys = keysOf({ id, origin });
    const made = engines.get(key);
    if (made?.keys === keys) return made.engine;
    const engine = make({ id, origin }, keys);
    telemetry?.engines(1);
    engines.set(key, { engine, keys });
    return engine;
  };
}

/** Reports what the engine allows and refuses, but authorization requests: see `noteRefusal`. `redemption.ts` reports issued tokens. */
export function auditEngine(provider: Provider, onAudit: OnAudit, enabled: Enabled): void {
  const refused = (action: AuditAction) => (ctx: KoaContextWithOIDC, error: errors.OIDCProviderError) => {
    // An app asks every few seconds.
    if (action === 'token.refused' && isWaiting(enabled, error)) return;
    const isSure = error.error !== 'invalid_client';
    const actor = isSure ? clientActor(ctx) : personActor(ctx);
    const reused = isReuse(enabled, error);
    // Anyone can send the id of a public client.
    const request = requestOf(ctx);
    const fromStranger = request.secret === undefined;
    const audiences = wrongAudiences(request, error);
    const reason = reused ? undefined : audiences ? 'assertion_audience' : codeOf(error);
    const sent = ctx.oidc.params?.['grant_type'];
    const grantType = enabled.grantTypes.find(({ name }) => name === sent)?.name;
    const claimed = claimsOf({ clientId: unknownClient(ctx), audiences });
    const sender = { actor, fromStranger, ...partiesOf(ctx), claimed };
    onAudit({ action: reused ? 'token.reused' : action, reason, grantType, ...sender });
  };
  provider.on('authorization.success', (ctx) => {
    const { Client: client } = ctx.oidc.entities;
    const { issued } = requestOf(ctx).records;
    const reason = client && isFirstParty(client) && !ctx.oidc.result?.consent ? 'first_party' : undefined;
    const parties = { ...partiesOf(ctx), connectionId: issued?.grantId, familyId: issued?.familyId };
    onAudit({ action: 'authorization.granted', reason, actor: personActor(ctx), ...parties });
  });
  provider.on('authorization.error', noteRefusal);
  provider.on('grant.error', refused('token.refused'));
  provider.on('revocation.error', refused('revocation.refused'));
  provider.on('introspection.error', refused('introspection.refused'));
  provider.on('grant.revoked', (ctx) => {
    const reason = ctx.oidc.route === 'token' ? 'reused' : undefined;
    onAudit({ action: 'token.revoked', reason, actor: clientActor(ctx), ...partiesOf(ctx) });
  });
}

/** What the engine refuses is reported once it has been shown. A decision on our own pages says what it is, or that it has been reported. */
const noteRefusal: EngineListener = (ctx, error) => {
  const { entities, params = ctx.query } = ctx.oidc;
  const request = requestOf(ctx);
  const { error: ended, told, reason: decided } = entities.Interaction?.result ?? {};
  const isDecided = ended !== undefined && ended === error.error;
  const known = isDecided && typeof decided === 'string' && isAuthorizationRefusal(decided) ? decided : undefined;
  const audiences = wrongAudiences(request, error);
  const found = audiences ? 'assertion_audience' : (known ?? refusalReason(error));
  const reason = isDecided && told === true ? undefined : found;
  // An app can name itself in its proof alone.
  const named = audiences ? { ...params, client_id: request.sender.clientId } : params;
  request.refused = reason && { reason, params: named, audiences };
};

/** Whom a proof is for that is refused because it is for somebody else; `undefined` for any other refusal. */
function wrongAudiences({ sender: { proof } }: EngineRequest, error: errors.OIDCProviderError): unknown[] | undefined {
  return proof?.method.isForAnother(error) ? [proof.audience].flat() : undefined;
}

/** The `client_id` that was sent, also in HTTP Basic, if there is no such client. */
function unknownClient(ctx: KoaContextWithOIDC): string | undefined {
  return ctx.oidc.client ? undefined : requestOf(ctx).sender.clientId;
}

function clientActor({ oidc }: KoaContextWithOIDC): AuditActor | undefined {
  return oidc.client && { kind: 'client', id: oidc.client.clientId };
}

function personActor({ oidc }: KoaContextWithOIDC): AuditActor | undefined {
  const { Account: account, Client: client } = oidc.entities;
  return account && client && { kind: personAudience(audienceOf(client)), id: account.accountId };
}

const codeKinds = tokenKinds.filter((kind) => kind !== 'AccessToken' && kind !== 'RefreshToken');

function partiesOf(ctx: KoaContextWithOIDC): TokenParties & { readonly siteId: string } {
  const { entities } = ctx.oidc;
  const { Account, Client } = entities;
  const token =
    entities.AccessToken ?? entities.RefreshToken ?? codeKinds.map((kind) => entities[kind]).find((code) => code);
  const request = requestOf(ctx);
  const { site, records } = request;
  const clientId = Client?.clientId;
  // The engine may have read a token that it refuses. One of another client tells nothing.
  const refused = !token && records.token?.record.clientId === clientId ? records.token : undefined;
  const memberId = Account?.accountId ?? token?.accountId ?? refused?.record.accountId;
  const isConnected = refused !== undefined && clientId !== undefined && memberId !== undefined;
  return {
    siteId: site.id,
    clientId,
    app: request.appOf(clientId),
    memberId,
    connectionId: token?.grantId ?? (isConnected ? grantIdOf(memberId, clientId) : undefined),
    familyId: token || refused ? records.token?.familyId : undefined,
  };
}
