import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';
import type { Entry, RecordKind, RedeemableKind } from '../contracts/store.ts';
import { epochSeconds } from '../runtime/clock.ts';
import { currentEngineRequest } from './engine-request.ts';
import type { ClientFinder } from '../clients/finder.ts';
import { inEngine } from './engine-errors.ts';
import { storedId } from '../records/codec.ts';
import type { RecordStore } from '../records/record-store.ts';
import { decodeRecord, encodeRecord, type EngineKind } from './engine-records.ts';

/** What the engine's records of one site rest on. */
export interface AdapterOptions {
  readonly siteId: string;
  readonly origin: string;
  readonly store: RecordStore;
  readonly clients: ClientFinder;
  /** Seconds; see `Lifetimes.refreshGrace`. */
  readonly refreshGrace: number;
}

const kinds: readonly string[] = [
  'Session',
  'Interaction',
  'Grant',
  'AuthorizationCode',
  'AccessToken',
  'RefreshToken',
] satisfies readonly EngineKind[];

/** The engine's storage: clients from their own finder, everything else from the store. */
export function engineAdapter(options: AdapterOptions): AdapterFactory {
  return (name) => {
    if (name === 'Client') return new ClientAdapter(options);
    if (isKind(name)) return new RecordAdapter(name, options);
    throw new Error(`the engine wants to keep a ${name}, which belongs to a feature that is off`);
  };
}

function isKind(name: string): name is EngineKind {
  return kinds.includes(name);
}

/** What the engine may ask of an adapter, and never does for the features that are on. */
abstract class OnDemand implements Adapter {
  abstract find(id: string): Promise<AdapterPayload | undefined>;
  async upsert(_id: string, _payload: AdapterPayload, _ttl?: number): Promise<void> {
    throw new Error('not written through the engine');
  }
  async destroy(_id: string): Promise<void> {
    throw new Error('not removed through the engine');
  }
  async consume(_id: string): Promise<void> {
    throw new Error('not consumed');
  }
  async revokeByGrantId(_grantId: string): Promise<void> {
    throw new Error('hangs on no grant');
  }
  async findByUserCode(): Promise<undefined> {
    return undefined;
  }
  async findByUid(): Promise<undefined> {
    return undefined;
  }
}

class ClientAdapter extends OnDemand {
  readonly #options: AdapterOptions;
  constructor(options: AdapterOptions) {
    super();
    this.#options = options;
  }
  override find(clientId: string): Promise<AdapterPayload | undefined> {
    const { siteId, clients } = this.#options;
    return inEngine(() => currentEngineRequest().client(clientId, () => clients(siteId, clientId)));
  }
}

class RecordAdapter extends OnDemand {
  readonly #kind: EngineKind;
  readonly #options: AdapterOptions;
  constructor(kind: EngineKind, options: AdapterOptions) {
    super();
    this.#kind = kind;
    this.#options = options;
  }

  override find(id: string): Promise<AdapterPayload | undefined> {
    return inEngine(async () => {
      const { siteId, origin, store } = this.#options;
      const found = await store.find(siteId, this.#kind, storedId(this.#kind, id));
      if (!found) return undefined;
      const payload = decodeRecord(this.#kind, id, found.record, origin);
      if (this.#kind === 'Session' && !(await isHere(payload.accountId))) return undefined;
      // A sign-in of somebody who is not here any more is not taken up; the person is asked again.
      if (payload.result?.login && !(await isHere(payload.result.login.accountId))) payload.result = undefined;
      if (found.consumed !== undefined && !this.#mayReplay(found.consumed)) payload.consumed = found.consumed;
      return payload;
    });
  }

  /** Within the grace window the engine goes on as with a fresh token; the redemption then finds the first answer. */
  #mayReplay(consumed: number): boolean {
    return this.#kind === 'RefreshToken' && epochSeconds() < consumed + this.#options.refreshGrace;
  }

  override upsert(id: string, payload: AdapterPayload, ttl?: number): Promise<void> {
    return inEngine(async () => {
      const entry: Entry = {
        kind: this.#kind,
        id: storedId(this.#kind, id),
        record: encodeRecord(this.#kind, payload, this.#options.origin),
        ttl,
        ...linksOf(this.#kind, payload),
      };
      const { redemption } = currentEngineRequest();
      if (redemption) {
        redemption.entries.push(entry);
        redemption.memberId = payload.accountId;
        redemption.clientId = payload.clientId;
      } else await this.#options.store.save(this.#options.siteId, entry);
    });
  }

  override async consume(id: string): Promise<void> {
    const { redemption } = currentEngineRequest();
    if (!redemption || !isRedeemable(this.#kind))
      throw new Error(`a ${this.#kind} is redeemed at the token endpoint only`);
    redemption.consumed = { kind: this.#kind, id: storedId(this.#kind, id) };
  }

  override async destroy(id: string): Promise<void> {
    if (this.#kind === 'Grant') return this.revokeByGrantId(id);
    // The engine destroys a token only right before it revokes its grant, and all goes with that.
    if (hangsOnGrant(this.#kind)) return;
    await inEngine(() => this.#options.store.remove(this.#options.siteId, this.#kind, storedId(this.#kind, id)));
  }

  /** The engine asks this of each kind of token in turn; the store does all of it at once. */
  override revokeByGrantId(grantId: string): Promise<void> {
    const id = storedId('Grant', grantId);
    return inEngine(() => currentEngineRequest().once(`revoke ${id}`, () => this.#revoke(id)));
  }

  async #revoke(grantId: string): Promise<void> {
    await this.#options.store.revoke(this.#options.siteId, { grantId });
  }
}

function linksOf(kind: RecordKind, { grantId, accountId, clientId }: AdapterPayload): Partial<Entry> {
  if (kind === 'Grant') return { memberId: accountId, clientId };
  return hangsOnGrant(kind) && grantId !== undefined ? { grantId: storedId('Grant', grantId) } : {};
}

function hangsOnGrant(kind: RecordKind): boolean {
  return kind === 'AccessToken' || isRedeemable(kind);
}

function isRedeemable(kind: RecordKind): kind is RedeemableKind {
  return kind === 'AuthorizationCode' || kind === 'RefreshToken';
}

/** Whether this is the person whom the platform knows as signed in; a session of nobody is anybody's. */
async function isHere(accountId: string | undefined): Promise<boolean> {
  return accountId === undefined || accountId === (await currentEngineRequest().signedIn())?.memberId;
}
