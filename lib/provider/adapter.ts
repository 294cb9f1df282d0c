import { type Adapter, type AdapterFactory, type AdapterPayload, errors } from 'oidc-provider';
import type { ClientFinder } from '../clients/finder.ts';
import type { Entry, RedeemableKind, TokenKind } from '../contracts/record.ts';
import type { IssuedToken } from '../contracts/store.ts';
import { AccessDenied } from '../protocol/errors.ts';
import { familyIdOf, storedId } from '../records/codec.ts';
import type { AuthorizationLimiter } from '../rate-limit/limiter.ts';
import type { RecordStore } from '../records/record-store.ts';
import { epochSeconds } from '../runtime/clock.ts';
import { inEngine, toEngineError } from './engine-errors.ts';
import { decodeRecord, encodeRecord, type EngineKind, type WrittenKind } from './engine-records.ts';
import { currentEngineRequest } from './engine-request.ts';
import { mayWriteSession } from './session-writes.ts';

interface AdapterOptions {
  readonly store: RecordStore;
  readonly clients: ClientFinder;
  readonly refreshGrace: number;
  readonly limitAuthorizations: AuthorizationLimiter;
}

/**
 * Seconds in which a code that is sent again is no sign of theft, if client and verifier are right: requests at the same
 * moment. Records have whole seconds, so of two one is complete.
 */
const codeGrace = 2;

/** The engine's storage, at the site of the current request: clients come from the client finder, everything else from the store. */
export function engineAdapter(options: AdapterOptions): AdapterFactory {
  return (name) => {
    if (name === 'Client') return clientAdapter(options);
    if (isEngineKind(name)) return recordAdapter(name, options);
    throw new Error(`the engine asked for storage of ${name}, which belongs to a feature that is off`);
  };
}

async function unused(): Promise<never> {
  throw new Error('the engine called its storage for a feature that is off');
}

/** The metadata of a client at the site of the current request. */
export function clientMetadataOf(clients: ClientFinder, clientId: string): Promise<AdapterPayload | undefined> {
  return inEngine(() => {
    const request = currentEngineRequest();
    return request.client(clientId, () => clients(request.site.id, clientId, request.purpose));
  });
}

function clientAdapter({ clients }: AdapterOptions): Adapter {
  return {
    find: (clientId) => clientMetadataOf(clients, clientId),
    upsert: unused,
    consume: unused,
    destroy: unused,
    revokeByGrantId: unused,
    findByUid: unused,
    findByUserCode: unused,
  };
}

/**
 * The engine revokes by grant, for each kind of token in turn, when a client revokes a token or a used one comes back. What
 * ends is the family of that token: the other devices of the person have families of their own.
 */
function endFamily(store: RecordStore, grantId: string): Promise<void> {
  return inEngine(() => {
    const request = currentEngineRequest();
    return request.endFamily(grantId, (familyId) => store.endFamily(request.site.id, grantId, familyId));
  });
}

function recordAdapter(kind: EngineKind, options: AdapterOptions): Adapter {
  const { store, refreshGrace } = options;
  const revokeByGrantId = (grantId: string): Promise<void> => endFamily(store, grantId);
  return {
    find: (id) =>
      inEngine(async () => {
        const request = currentEngineRequest();
        // The engine asks for the grant of a code or token next.
        const known = kind === 'Grant' ? request.foundGrant(id) : undefined;
        const found =
          known ?? (await store.find(request.site.id, kind, storedId(kind, id), { withGrant: isToken(kind) }));
        if (!found) return undefined;
        const payload = decodeRecord(kind, id, found.record, request.site.origin);
        if (found.consumed !== undefined) payload.consumed = found.consumed;
        if (isToken(kind) && payload.grantId !== undefined) request.foundToken(payload.grantId, found);
        if (kind === 'Interaction') request.foundInteraction(id, found.text);
        request.redemption?.found(kind, found);
        const usable = await usableRecord(kind, payload, refreshGrace);
        if (kind === 'Session' && usable) request.sessionGrounds.add('found');
        return usable;
      }),
    upsert: (id, payload, ttl) =>
      inEngine(async () => {
        if (kind === 'Grant') throw new Error('a grant is written by the consent page, not by the engine');
        const record = encodeRecord(kind, payload);
        const entry = { kind, id: storedId(kind, id), record, ttl };
        const request = currentEngineRequest();
        const siteId = request.site.id;
        // Later steps of an authorization replace its interaction.
        if (kind === 'Interaction' && request.purpose === 'start') {
          await options.limitAuthorizations(request.ctx, siteId, payload.session?.accountId);
        }
        if (kind === 'Session' && !(await mayWriteSession(request, payload, options))) return;
        // At the token endpoint the record becomes part of the redemption.
        if (request.redemption && isIssued(entry)) return request.redemption.add(entry, payload);
        const replaces = kind === 'Interaction' ? request.interactionText(id) : undefined;
        if (!(await store.save(siteId, { ...entry, ...linksOf(entry, payload), replaces }))) throw notWritten(kind);
        request.sessionGrounds.add(kind);
      }),
    consume: async (id) => {
      const { redemption } = currentEngineRequest();
      if (!redemption || !isRedeemable(kind)) throw new Error(`a ${kind} is redeemed at the token endpoint only`);
      redemption.consume(kind, storedId(kind, id));
    },
    destroy: async (id) => {
      if (kind === 'Grant') return revokeByGrantId(id);
      // The engine destroys a token only right before it revokes its grant.
      if (isToken(kind)) return;
      const existed = await inEngine(() => store.remove(currentEngineRequest().site.id, kind, storedId(kind, id)));
      // Of requests that resume one interaction at the same moment the one that removes it goes on: one consent, one code.
      if (kind === 'Interaction' && !existed) throw new errors.SessionNotFound('interaction session not found');
    },
    revokeByGrantId,
    findByUid: unused,
    findByUserCode: unused,
  };
}

type EngineEntry = Pick<Entry, 'id' | 'record' | 'ttl'> & { readonly kind: WrittenKind };

/** Another request has answered the interaction since this one read it. */
export class InteractionAnswered extends Error {}

function notWritten(kind: WrittenKind): Error {
  if (kind === 'Interaction') return new InteractionAnswered('another request has answered this interaction');
  return toEngineError(
    new AccessDenied('the connection was ended at the same moment; start a new authorization request'),
  );
}

/** A new code is a new authorization, so it starts a family. */
function linksOf({ kind, id }: EngineEntry, { grantId }: AdapterPayload): Partial<Entry> {
  if (kind === 'AuthorizationCode') return { grantId, familyId: familyIdOf(id) };
  if (isToken(kind)) throw new Error('the engine issues a token outside the token endpoint');
  return {};
}

function isEngineKind(name: string): name is EngineKind {
  return ['Session', 'Interaction', 'Grant'].includes(name) || isToken(name);
}

function isToken(kind: string): kind is TokenKind {
  return kind === 'AccessToken' || isRedeemable(kind);
}

function isRedeemable(kind: string): kind is RedeemableKind {
  return kind === 'AuthorizationCode' || kind === 'RefreshToken';
}

function isIssued(entry: EngineEntry): entry is EngineEntry & IssuedToken {
  return entry.kind === 'AccessToken' || entry.kind === 'RefreshToken';
}

/** Returns the part of a stored record that the engine may use for the current request. */
async function usableRecord(
  kind: EngineKind,
  payload: AdapterPayload,
  refreshGrace: number,
): Promise<AdapterPayload | undefined> {
  const { accountId, consumed, result } = payload;
  if (kind === 'Session' && !(await isSignedIn(accountId))) return undefined;
  // When another person, or no one, is signed in by now, the engine must ask again.
  if (kind === 'Interaction' && !(await isSignedIn(result?.login?.accountId))) return { ...payload, result: undefined };
  // Within its window the engine handles a redeemed code or refresh token like a fresh one: it authenticates the client and
  // checks the request. The redemption then loses; for a refresh it returns the first response.
  const window = kind === 'RefreshToken' ? refreshGrace : kind === 'AuthorizationCode' ? codeGrace : 0;
  const inWindow = typeof consumed === 'number' && epochSeconds() < consumed + window;
  return inWindow ? { ...payload, consumed: undefined } : payload;
}

/** Whether the platform's session belongs to this account; a session without an account is usable by anyone. */
async function isSignedIn(accountId: string | undefined): Promise<boolean> {
  return accountId === undefined || accountId === (await currentEngineRequest().signedIn())?.memberId;
}
