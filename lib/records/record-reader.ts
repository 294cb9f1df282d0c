import type { RecordKind, StoredRecord } from './record.ts';
import type { FoundRecord } from './found-record.ts';
import type { FindOptions, RecordName, Store } from './store.ts';

type Parse = <K extends RecordKind>(kind: K, found: StoredRecord) => FoundRecord<K>;

interface ReaderSources {
  readonly find: Store['find'];
  readonly parse: Parse;
}

/** What came with another record; `undefined` if the store left it out. */
interface Told {
  readonly found: StoredRecord | undefined;
}

/** Reads records for one request. What it expects comes with the first record that it reads, if the store has it at hand. */
export class RecordReader {
  readonly #sources: ReaderSources;
  readonly #siteId: string;
  readonly #expected = new Map<string, RecordName>();
  readonly #coming = new Map<string, Promise<Told | undefined>>();

  constructor(sources: ReaderSources, siteId: string) {
    this.#sources = sources;
    this.#siteId = siteId;
  }

  /** Says that this will be asked for, once. */
  expect(kind: RecordName['kind'], id: string): void {
    this.#expected.set(nameOf(kind, id), { kind, id });
  }

  async find<K extends RecordKind>(kind: K, id: string, options?: FindOptions): Promise<FoundRecord<K> | undefined> {
    const name = nameOf(kind, id);
    const coming = this.#coming.get(name);
    this.#coming.delete(name);
    this.#expected.delete(name);
    const told = await coming;
    const found = told ? told.found : await this.#read(kind, id, options);
    return found && this.#sources.parse(kind, found);
  }

  async #read(kind: RecordKind, id: string, options: FindOptions | undefined): Promise<StoredRecord | undefined> {
    const also = [...this.#expected.values()];
    if (also.length === 0) return (await this.#sources.find(this.#siteId, kind, id, options)) ?? undefined;
    this.#expected.clear();
    const finding = this.#sources.find(this.#siteId, kind, id, { ...options, also });
    // A failure of this read is not one of the others.
    const all = finding.then(
      (found) => found?.also ?? undefined,
      () => undefined,
    );
    for (const [i, each] of also.entries()) {
      const told = all.then((list) => list && { found: list[i] ?? undefined });
      this.#coming.set(nameOf(each.kind, each.id), told);
    }
    return (await finding) ?? undefined;
  }
}

function nameOf(kind: RecordKind, id: string): string {
  return `${kind} ${id}`;
}
