import { type Adapter, type AdapterFactory, type AdapterPayload, errors } from 'oidc-provider';
import { type EngineKind, isEngineKind, isRedeemable, isToken } from '../records/record.ts';
import { AccessDenied, InvalidScope, OAuthError } from '../kernel/errors.ts';
import { propertiesGiven, propertiesOf } from '../core/enabled/client-property.ts';
import type { Enabled } from '../core/enabled/enabled.ts';
import { signInOf } from '../core/clients/sign-in-client.ts';
import { isLoopbackRedirect, otherRootSpelling } from '../core/clients/redirect-uri.ts';
import type { AuthorizationLimiter } from '../core/limits/request-limiters.ts';
import { type CheckedKeys, signedWith } from '../core/keys/keys.ts';
import { type ClientMetadata, optional, storedId, text } from '../records/codec.ts';
import { mergedOf } from '../kernel/merged.ts';
import type { EngineFeature } from './engine-feature.ts';
import { encodeRecord, type PayloadWrite } from './engine-records.ts';
import { currentRequest, type EngineRequest } from './engine-request.ts';
import { inEngine } from './engine-errors.ts';

interface AdapterOptions {
  readonly enabled: Enabled;
  readonly features: readonly EngineFeature[];
  readonly limitAuthorizations: AuthorizationLimiter;
  readonly keys: CheckedKeys;
}

/** The engine's storage, at the school of the current request: clients come from the client finder, everything else from the store. */
export function engineAdapter(options: AdapterOptions): AdapterFactory {
  const own = mergedOf(options.features.map(({ storage }) => storage));
  return (name) => {
    if (name === 'Client')
      return {
        ...off,
        find: withRequest(async (request, id: string) =>
          withAlgorithm(await findClient(request, id, options), options),
        ),
      };
    if (isEngineKind(name)) return { ...recordAdapter(name, options), ...own[name] };
    if (own[name]) return { ...off, ...own[name] };
    throw new Error(`the engine asked for storage of ${name}, which belongs to a feature that is off`);
  };
}

/**
 * A loopback address without a path is the same with a slash at its end. Where a document says `localhost`, the app may be sent to 127.0.0.1: to the same computer, and RFC 8252 section 8.3 has
 * apps use that. Not the other way round: `localhost` can resolve to something else.
 */
async function findClient(
  request: EngineRequest,
  clientId: string,
  { enabled }: AdapterOptions,
): Promise<AdapterPayload | undefined> {
  const client = await request.engineClient(clientId);
  if (client && lacksOption(enabled, client)) return undefined;
  const { redirect_uris: uris = [], campus_source: source } = client ?? {};
  if (!client || !uris.some((uri) => uri.startsWith('http:'))) return client;
  const names = uris.filter((uri) => isLoopbackRedirect(uri, { localhost: true }) && !isLoopbackRedirect(uri));
  const addresses = source === 'document' ? names.map((uri) => uri.replace('localhost', '127.0.0.1')) : [];
  const all = [...uris, ...addresses];
  const roots = all.flatMap((uri) => otherRootSpelling(uri) ?? []);
  return { ...client, redirect_uris: [...new Set([...all, ...roots])] };
}

/** Whether a client has a property that needs an option, which is off by now. */
function lacksOption({ known, hasOption }: Enabled, client: ClientMetadata): boolean {
  const given = propertiesGiven(known.properties, propertiesOf(known.properties, client));
  return given.some(({ option, needsOption }) => needsOption === true && !hasOption(option));
}

/** With its algorithm for ID tokens, as long as there is such a key; without one, the engine's default is what every client gets. */
function withAlgorithm(client: AdapterPayload | undefined, { keys }: AdapterOptions): AdapterPayload | undefined {
  const { idTokenAlgorithm } = signInOf(client ?? {}) ?? {};
  if (idTokenAlgorithm === undefined || !signedWith(keys).includes(idTokenAlgorithm)) return client;
  return { ...client, id_token_signed_response_alg: idTokenAlgorithm };
}

/** Makes a method of the engine’s storage of a function that takes the current request first. */
export function withRequest<A extends unknown[], T>(
  method: (request: EngineRequest, ...args: A) => T | Promise<T>,
): (...args: A) => Promise<T> {
  return (...args) => inEngine(() => method(currentRequest(), ...args));
}

async function unused(): Promise<never> {
  throw new Error('the engine called its storage for a feature that is off');
}

const off: Adapter = {
  find: unused,
  upsert: unused,
  consume: unused,
  destroy: unused,
  revokeByGrantId: unused,
  findByUid: unused,
  findByUserCode: unused,
};

function recordAdapter(kind: EngineKind, options: AdapterOptions): Adapter {
  /** Each of the engine's removals, of a token, its grant and each kind of token of that grant, means the family of that token. */
  const endFamily = withRequest(({ records }) => records.endFamily());
  return {
    ...off,
    find: withRequest(({ records }, id: string) => records.find(kind, id)),
    upsert: withRequest((request, id: string, payload: AdapterPayload, ttl: number) =>
      upsert(request, options, { kind, id, payload, ttl }),
    ),
    consume: withRequest(({ redemption, records }, id: string) => {
      if (!redemption || !isRedeemable(kind)) throw new Error(`a ${kind} is redeemed at the token endpoint only`);
      redemption.consume(kind, records.keyInStore(kind, id));
    }),
    destroy:
      kind === 'Grant' || isToken(kind)
        ? endFamily
        : withRequest(async ({ records }, id: string) => {
            const existed = await records.remove(kind, id);
            // Several requests can resume one interaction; the one that removes it goes on: one consent, one code.
            if (kind === 'Interaction' && !existed) throw interactionEnded();
          }),
    revokeByGrantId: endFamily,
  };
}

async function upsert(
  request: EngineRequest,
  options: AdapterOptions,
  { kind, id, payload, ttl }: PayloadWrite<EngineKind>,
): Promise<void> {
  if (kind === 'Grant') throw new Error('a grant is written by a consent, not by the engine');
  if (kind === 'AccessToken' || kind === 'RefreshToken') {
    if (!request.redemption) throw new Error('the engine issues a token outside the token endpoint');
    // What was added later stays in the grant: a refresh token keeps the scopes of its consent.
    const before = kind === 'RefreshToken' ? request.records.last(kind)?.record : undefined;
    const own = before && { scope: optional(before, 'scope', text) };
    const record = encodeRecord(kind, { ...payload, ...own });
    return request.redemption.add({ kind, id: storedId(kind, id), record, ttl }, payload);
  }
  if (kind === 'ClientCredentials') {
    const { clientId, scope } = payload;
    if (scope === undefined)
      throw new InvalidScope("this school's rules do not allow this service any of the requested scopes");
    const token = { kind, id: storedId(kind, id), record: encodeRecord(kind, payload), ttl };
    return request.redemption?.addService(token, clientId);
  }
  // Later steps of an authorization replace its interaction.
  if (kind === 'Interaction' && request.purpose === 'start') {
    await options.limitAuthorizations(request.ctx, request.site, payload.session?.accountId);
  }
  if (kind === 'Session' && !(await mayWriteSession(request, payload, options))) return;
  const own = kind === 'AuthorizationCode' ? await codeMembers(request, options, payload) : {};
  if (await request.records.save({ kind, id, payload: { ...payload, ...own }, ttl })) return;
  if (kind === 'Interaction') throw interactionEnded();
  throw new AccessDenied('the connection was ended at the same moment; start a new authorization request');
}

/** What features add to a code. */
async function codeMembers(
  request: EngineRequest,
  { features }: AdapterOptions,
  { clientId = '' }: AdapterPayload,
): Promise<AdapterPayload> {
  const all = await Promise.all(features.map(async (feature) => feature.codeMembers?.(request, clientId)));
  return mergedOf(all);
}

function interactionEnded(): errors.SessionNotFound {
  return new errors.SessionNotFound('interaction session not found');
}

/** The engine makes a session for every request without one, also for refused ones: one that no interaction counted counts here. */
async function mayWriteSession(
  { records, purpose, ctx, site, hasForm }: EngineRequest,
  { accountId }: AdapterPayload,
  { limitAuthorizations }: AdapterOptions,
): Promise<boolean> {
  if (records.last('Session') || records.hasWritten('Interaction') || records.hasWritten('Session')) return true;
  // The form of a page belongs to it.
  if (hasForm) {
    await limitAuthorizations(ctx, site, accountId);
    return true;
  }
  if (!records.hasWritten('AuthorizationCode')) return false;
  if (purpose !== 'start') return true;
  try {
    await limitAuthorizations(ctx, site, accountId);
    return true;
  } catch (error) {
    // The code is valid without: the next request joins the platform's session again.
    if (error instanceof OAuthError && error.error === 'slow_down') return false;
    throw error;
  }
}
