import type { JsonObject } from '../contracts/json.ts';
import recorded from './recorded-documents.json' with { type: 'json' };

/** A metadata document, as far as the tests look at it. */
export type RecordedDocument = JsonObject & { readonly client_id: string; readonly redirect_uris: readonly string[] };

/** Documents as they were recorded in the second half of 2026. */
export const recordedDocuments: readonly RecordedDocument[] = recorded;
