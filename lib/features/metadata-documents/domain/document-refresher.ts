import type { MetadataDocumentPolicy } from './document-policy.ts';
import { OAuthError, TemporarilyUnavailable } from '../../../kernel/errors.ts';
import type { DocumentRecord } from '../../../records/codec.ts';
import type { OnAudit, AuditAction, EventDetails } from '../../../observe/audit-event.ts';
import type { ServedCopy } from '../../../core/clients/client-source.ts';
import type { DocumentBudget } from '../../../core/outbound/budget.ts';
import { type DocumentCache, type DocumentCopy, isUsed, isWithdrawn, type FetchedVersion } from './document-cache.ts';
import { type DocumentFetcher, FetcherClosed, type FetchReason } from '../../../core/outbound/fetcher.ts';
import type { ReportChange } from '../../../core/access/version-approvals.ts';
import { boundedCache } from '../../../kernel/bounded-cache.ts';
import type { RequestTime } from '../../../kernel/request-time.ts';

export interface RefresherOptions {
  readonly onAudit: OnAudit;
  readonly storeTime: RequestTime;
  readonly policy: MetadataDocumentPolicy;
  readonly cache: DocumentCache;
  readonly fetcher: DocumentFetcher;
  /** `undefined` for no limit. */
  readonly budget: DocumentBudget | undefined;
  readonly reportChange: ReportChange;
}

/** For whom a document is fetched, and what is stored of it. */
export interface Occasion {
  readonly siteId: string;
  readonly stored: DocumentRecord | undefined;
  /** What serves if it cannot be fetched. */
  readonly copy?: DocumentCopy | undefined;
}

export interface DocumentRefresher {
  /** Throws what was wrong a few seconds ago, in place of another attempt. */
  refuseRecentFailure(clientId: string): void;
  /**
   * Fetches, checks and stores a document. Concurrent calls share one request, whichever their schools.
   *
   * @throws OAuthError: status 503 or 429 if the document could not be fetched, another if it cannot be used
   */
  refresh(clientId: string, occasion: Occasion): Promise<DocumentCopy>;
  /** The documents that could not be fetched when they were last asked for, and that have a copy. */
  readonly servedCopies: () => readonly ServedCopy[];
  /** Ends the fetches that are running. Resolves when what they wanted to store is stored. */
  readonly close: () => Promise<void>;
}

/** Long enough that a crowd of clients causes one request, short enough that a correction counts at once. */
const failureSeconds = 10;

/** Documents whose copies are kept for the finding. */
const maxServedCopies = 100;

export function createDocumentRefresher(options: RefresherOptions): DocumentRefresher {
  const { policy, cache, fetcher, budget, reportChange, onAudit, storeTime } = options;
  const running = new Map<string, Promise<DocumentCopy>>();
  const failures = boundedCache<{ readonly error: OAuthError; readonly until: number }>(1000);
  const servedCopies = boundedCache<ServedCopy>(maxServedCopies);

  async function load(clientId: string, { siteId, stored, copy: old }: Occasion): Promise<DocumentCopy> {
    const audit = (action: AuditAction, details: EventDetails): void =>
      onAudit({ action, siteId, clientId, ...details });
    const fetched = await fetchChecked(clientId, { siteId, used: isUsed(stored) }).catch(async (error: unknown) => {
      if (!(error instanceof OAuthError) || error instanceof FetcherClosed) throw error;
      failures.set(clientId, { error, until: performance.now() + failureSeconds * 1000 });
      if (isUndecided(error)) {
        if (old) servedCopies.set(clientId, { clientId, reason: error.message, date: old.date });
        const reason = old?.date === undefined ? 'stale' : 'shipped';
        audit('document.unreachable', old ? { outcome: 'allowed', reason } : {});
      } else {
        servedCopies.delete(clientId);
        if (stored && !isWithdrawn(stored)) {
          await cache.withdraw(clientId);
          audit('document.withdrawn', { reason: error.error });
        }
      }
      throw withRetryAfter(error, failureSeconds);
    });
    const { copy, changed } = await cache.save(clientId, fetched);
    failures.delete(clientId);
    servedCopies.delete(clientId);
    if (changed) await reportChange(siteId, clientId, copy.digest);
    return copy;
  }

  async function fetchChecked(clientId: string, reason: FetchReason): Promise<FetchedVersion> {
    const { document, ttl } = await fetcher.fetch(clientId, reason);
    const { metadata, digest } = policy.checkDocument(clientId, document);
    // What does not count is not shown to those who review it.
    return { document: { ...document, redirect_uris: [...metadata.redirect_uris] }, ttl, digest };
  }

  return {
    servedCopies: () => [...servedCopies.values()],
    refuseRecentFailure(clientId) {
      const failure = failures.get(clientId);
      const left = failure === undefined ? 0 : Math.round(failure.until - performance.now());
      if (failure !== undefined && left > 0) throw withRetryAfter(failure.error, Math.ceil(left / 1000));
    },
    async close() {
      fetcher.close();
      await Promise.allSettled(running.values());
    },
    async refresh(clientId, occasion) {
      const shared = running.get(clientId);
      if (shared) return shared;
      const { siteId, stored } = occasion;
      try {
        budget?.consumeQuota({ siteId, host: new URL(clientId).host, used: isUsed(stored) });
      } catch (error) {
        onAudit({ action: 'quota.exceeded', reason: 'documents', siteId, clientId });
        throw error;
      }
      const started = storeTime.runApart(() => load(clientId, occasion)).finally(() => running.delete(clientId));
      running.set(clientId, started);
      return started;
    },
  };
}

/** Whether an error says nothing about the document. */
export function isUndecided(error: unknown): boolean {
  return error instanceof OAuthError && (error.status >= 500 || error.status === 429);
}

function withRetryAfter(error: OAuthError, seconds: number): OAuthError {
  if (!(error instanceof TemporarilyUnavailable)) return error;
  const { message, cause, host } = error;
  return new TemporarilyUnavailable(message, { cause, host, headers: { 'Retry-After': String(seconds) } });
}
