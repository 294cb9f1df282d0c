import type { JsonObject } from '../../../kernel/json.ts';
import type { MetadataDocumentPolicy } from './document-policy.ts';
import { type DocumentRecord, serializeRecord } from '../../../records/codec.ts';
import type { RecordStore } from '../../../records/record-store.ts';
import { epochSeconds } from '../../../kernel/clock.ts';
import { digest as sha256 } from '../../../kernel/crypto.ts';

/**
 * How long the last good copy of a document that cannot be fetched keeps serving, in seconds. `docs/guides/metadata-documents.md` says
 * so to operators.
 */
const lastCopySeconds = 7 * 24 * 60 * 60;

/** How long a document is stored that nobody has allowed or approved, in seconds: as long as it can be fresh. */
const unusedSeconds = 24 * 60 * 60;

/** A document as it was last fetched. */
export interface DocumentCopy extends DocumentRecord {
  readonly document: JsonObject;
  /** The day of a copy that came with the policy; absent for what was fetched. */
  readonly date?: string | undefined;
}

export interface FetchedVersion {
  readonly document: JsonObject;
  readonly digest: string;
  /** Seconds that it is fresh. */
  readonly ttl: number;
}

/** The copies of documents, each stored once for all schools. */
export interface DocumentCache {
  readonly find: (clientId: string) => Promise<DocumentRecord | undefined>;
  /** Stores a version and returns whether it differs from the one before. */
  readonly save: (
    clientId: string,
    fetched: FetchedVersion,
  ) => Promise<{ readonly copy: DocumentCopy; readonly changed: boolean }>;
  /** Removes the document and keeps its digest, so that a return with other content is noticed. */
  readonly withdraw: (clientId: string) => Promise<void>;
  /** Notes that somebody has allowed or approved the version with this digest, so that what is stored stays. */
  readonly markUsed: (clientId: string, digest: string, grantLifetime: number) => Promise<void>;
}

/** No school has this id: what is stored under it belongs to all. */
const allSchools = '';

export function createDocumentCache(store: RecordStore): DocumentCache {
  const find: DocumentCache['find'] = async (clientId) =>
    (await store.find(allSchools, 'Document', sha256(clientId)))?.record;

  const write = async (clientId: string, record: DocumentRecord): Promise<void> => {
    const ttl = Math.max(unusedSeconds, (record.usedUntil ?? 0) - epochSeconds());
    const text = serializeRecord('Document', record);
    await store.save(allSchools, { kind: 'Document', id: sha256(clientId), record: text, ttl });
  };

  return {
    find,
    async save(clientId, { document, digest, ttl: fresh }) {
      const before = await find(clientId);
      const changed = before !== undefined && before.digest !== digest;
      const now = epochSeconds();
      const since = changed ? now : (before?.since ?? 0);
      const copy = { document, digest, since, fetchedAt: now, freshUntil: now + fresh, usedUntil: before?.usedUntil };
      await write(clientId, copy);
      return { copy, changed };
    },
    async withdraw(clientId) {
      const before = await find(clientId);
      if (before && !isWithdrawn(before)) {
        await write(clientId, { ...before, document: undefined, fetchedAt: before.fetchedAt || epochSeconds() });
      }
    },
    async markUsed(clientId, digest, grantLifetime) {
      const before = (await find(clientId)) ?? { digest, since: 0, fetchedAt: 0, freshUntil: 0 };
      // The digest is needed as long as the consent is valid, at whichever school, and the last copy may outlive that.
      const usedUntil = Math.max(before.usedUntil ?? 0, epochSeconds() + grantLifetime + lastCopySeconds);
      await write(clientId, { ...before, usedUntil });
    },
  };
}

/** Whether a document was fetched once, and could not be used when it was fetched again. */
export function isWithdrawn({ document, fetchedAt }: DocumentRecord): boolean {
  return !document && fetchedAt > 0;
}

/** The copy, if it may still serve while the document cannot be fetched. */
export function usableCopy(record: DocumentRecord | undefined): DocumentCopy | undefined {
  const { document } = record ?? {};
  if (!record || !document || record.fetchedAt + lastCopySeconds <= epochSeconds()) return undefined;
  return { ...record, document };
}

/** Whether somebody, at any school, has allowed or approved the document. Strangers can cause a fetch, but not this. */
export function isUsed(record: DocumentRecord | undefined): boolean {
  return (record?.usedUntil ?? 0) > epochSeconds();
}

/** What came with the policy, for a document that was never fetched. */
export function shippedCopy(
  policy: MetadataDocumentPolicy,
  clientId: string,
  stored: DocumentRecord | undefined,
): DocumentCopy | undefined {
  const shipped = policy.known?.(clientId)?.copy;
  if (!shipped || (stored && stored.fetchedAt > 0)) return undefined;
  const { digest } = policy.checkDocument(clientId, shipped.document);
  return { since: 0, ...stored, ...shipped, digest, fetchedAt: 0, freshUntil: 0 };
}
