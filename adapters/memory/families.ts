import type { TokenKind, StoredDevice } from '../../lib/records/record.ts';
import { maxFamilies } from '../../lib/records/store.ts';

interface Family {
  /** When its newest token expires, in milliseconds since the epoch. */
  readonly expires: number;
  /** When its newest refresh token expires, if it has one. */
  readonly refreshUntil: number | undefined;
}

/** The live token families of one grant, by id. */
export class Families {
  readonly #families = new Map<string, Family>();

  has(id: string): boolean {
    return this.#families.has(id);
  }

  /** Those with a refresh token that has not expired. */
  get devices(): StoredDevice[] {
    return [...this.#families].flatMap(([familyId, { refreshUntil = 0 }]) => {
      if (refreshUntil <= Date.now()) return [];
      return { familyId, ...(refreshUntil < Infinity && { refreshUntil: Math.ceil(refreshUntil / 1000) }) };
    });
  }

  /** Starts or prolongs a family with a code or token. */
  prolong(id: string, kind: TokenKind, expires: number): void {
    const before = this.#families.get(id);
    this.#families.delete(id);
    this.#dropExpired();
    if (this.#families.size >= maxFamilies) this.#dropFirst();
    this.#families.set(id, {
      expires: Math.max(expires, before?.expires ?? 0),
      refreshUntil: kind === 'RefreshToken' ? expires : before?.refreshUntil,
    });
  }

  /** Returns whether the family was live, and whether it was the last one. */
  end(id: string): { readonly ended: boolean; readonly last: boolean } {
    this.#dropExpired();
    const ended = this.#families.delete(id);
    return { ended, last: ended && this.#families.size === 0 };
  }

  #dropExpired(): void {
    for (const [id, { expires }] of this.#families) if (expires <= Date.now()) this.#families.delete(id);
  }

  #dropFirst(): void {
    let first: readonly [string, Family] | undefined;
    for (const family of this.#families) if (!first || family[1].expires < first[1].expires) first = family;
    if (first) this.#families.delete(first[0]);
  }
}
