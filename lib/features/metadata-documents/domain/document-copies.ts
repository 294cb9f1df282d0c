import copies from './document-copies.json' with { type: 'json' };
import type { JsonObject } from '../../../kernel/json.ts';

/** A metadata document as it was recorded. */
export type CopiedDocument = JsonObject & { readonly client_id: string; readonly redirect_uris: readonly string[] };

/** A copy of a metadata document. */
export interface DatedDocument {
  /** The day on which it was recorded, `2026-11-22`. */
  readonly date: string;
  /** For a row whose `url` is a pattern: with `*` wherever the segment of the path is repeated. */
  readonly document: CopiedDocument;
}

const dated: readonly DatedDocument[] = copies;

/** Copies of the documents of known apps, by the URL or pattern of their rows. */
export const documentCopies: ReadonlyMap<string, DatedDocument> = new Map(
  dated.map((copy) => [copy.document.client_id, copy]),
);
