import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';
import type { Entry, RecordKind, RedeemableKind } from '../contracts/store.ts';
import { currentEngineRequest } from './engine-request.ts';
import type { ClientFinder } from '../clients/finder.ts';
import { inEngine } from './engine-errors.ts';
import { usableRecord } from './record-policies.ts';
import { storedId } from '../records/codec.ts';
import type { RecordStore } from '../records/record-store.ts';
import { decodeRecord, encodeRecord, type EngineKind } from './engine-records.ts';

interface AdapterOptions {
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

/** The engine's storage: clients come from the client finder, everything else from the store. */
export function engineAdapter(options: AdapterOptions): AdapterFactory {
  return (name) => {
    if (name === 'Client') return new ClientAdapter(options);
    if (isKind(name)) return new RecordAdapter(name, options);
    throw new Error(`the engine asked for storage of ${name}, which belongs to a feature that is off`);
  };
}

function isKind(name: string): name is EngineKind {
  return kinds.includes(name);
}

/** The engine's interface; only features that are off call the methods that throw. */
abstract class FindOnlyAdapter implements Adapter {
  abstract find(id: string): Promise<AdapterPayload | undefined>;
  async upsert(_id: string, _payload: AdapterPayload, _ttl?: number): Promise<void> {
    throw new Error('the engine does not write this kind of record');
  }
  async destroy(_id: string): Promise<void> {
    throw new Error('the engine does not remove this kind of record');
  }
  async consume(_id: string): Promise<void> {
    throw new Error('this kind of record is not redeemed');
  }
  async revokeByGrantId(_grantId: string): Promise<void> {
    throw new Error('this kind of record belongs to no grant');
  }
  async findByUserCode(): Promise<undefined> {
    return undefined;
  }
  async findByUid(): Promise<undefined> {
    return undefined;
  }
}

class ClientAdapter extends FindOnlyAdapter {
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

class RecordAdapter extends FindOnlyAdapter {
  readonly #kind: EngineKind;
  readonly #options: AdapterOptions;
  constructor(kind: EngineKind, options: AdapterOptions) {
    super();
    this.#kind = kind;
    this.#options = options;
  }

  override find(id: string): Promise<AdapterPayload | undefined> {
    const { siteId, origin, store, refreshGrace } = this.#options;
    return inEngine(async () => {
      const found = await store.find(siteId, this.#kind, storedId(this.#kind, id));
      if (!found) return undefined;
      const payload = decodeRecord(this.#kind, id, found.record, origin);
      if (found.consumed !== undefined) payload.consumed = found.consumed;
      return usableRecord(this.#kind, payload, refreshGrace);
    });
  }

  /** Saves a record; at the token endpoint it becomes part of the redemption instead. */
  override upsert(id: string, payload: AdapterPayload, ttl?: number): Promise<void> {
    const { siteId, origin, store } = this.#options;
    return inEngine(async () => {
      const entry: Entry = {
        kind: this.#kind,
        id: storedId(this.#kind, id),
        record: encodeRecord(this.#kind, payload, origin),
        ttl,
        ...linksOf(this.#kind, payload),
      };
      const { redemption } = currentEngineRequest();
      if (redemption) redemption.add(entry, payload);
      else await store.save(siteId, entry);
    });
  }

  override async consume(id: string): Promise<void> {
    const { redemption } = currentEngineRequest();
    if (!redemption || !isRedeemable(this.#kind)) {
      throw new Error(`a ${this.#kind} is redeemed at the token endpoint only`);
    }
    redemption.consume(this.#kind, storedId(this.#kind, id));
  }

  override async destroy(id: string): Promise<void> {
    const { siteId, store } = this.#options;
    if (this.#kind === 'Grant') return this.revokeByGrantId(id);
    // The engine destroys a token only right before it revokes the grant, which removes the token.
    if (belongsToGrant(this.#kind)) return;
    await inEngine(() => store.remove(siteId, this.#kind, storedId(this.#kind, id)));
  }

  /** The engine calls this for each kind of token in turn; the store revokes all of them at once. */
  override revokeByGrantId(grantId: string): Promise<void> {
    const { siteId, store } = this.#options;
    const id = storedId('Grant', grantId);
    return inEngine(() => currentEngineRequest().revokeGrant(id, () => store.revoke(siteId, { grantId: id })));
  }
}

function linksOf(kind: RecordKind, { grantId, accountId, clientId }: AdapterPayload): Partial<Entry> {
  if (kind === 'Grant') return { memberId: accountId, clientId };
  return belongsToGrant(kind) && grantId !== undefined ? { grantId: storedId('Grant', grantId) } : {};
}

function belongsToGrant(kind: RecordKind): boolean {
  return kind === 'AccessToken' || isRedeemable(kind);
}

function isRedeemable(kind: RecordKind): kind is RedeemableKind {
  return kind === 'AuthorizationCode' || kind === 'RefreshToken';
}
