import type { EngineKind } from '../contracts/record.ts';
import { grantIdOf } from '../records/codec.ts';
import type { FoundRecord } from '../records/record-store.ts';

type EngineFound = FoundRecord<EngineKind>;

/** What a request has read from the store and may use: the last record of each kind. */
export class Reads {
  readonly #last = new Map<EngineKind, { readonly id: string; readonly found: EngineFound }>();

  /** A grant that was found with a code or token counts as read: the engine asks for it next. */
  add(kind: EngineKind, id: string, found: EngineFound): void {
    this.#last.set(kind, { id, found });
    const { grant } = found;
    if (grant) this.add('Grant', grantIdOf(grant.record.accountId, grant.record.clientId), grant);
  }

  find(kind: EngineKind, id: string): EngineFound | undefined {
    const last = this.#last.get(kind);
    return last?.id === id ? last.found : undefined;
  }

  get session(): EngineFound | undefined {
    return this.#last.get('Session')?.found;
  }

  get grant(): EngineFound | undefined {
    return this.#last.get('Grant')?.found;
  }

  /** No endpoint takes more than one. */
  get token(): EngineFound | undefined {
    const last = this.#last;
    return (last.get('AuthorizationCode') ?? last.get('RefreshToken') ?? last.get('AccessToken'))?.found;
  }
}
