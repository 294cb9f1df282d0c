import { refusals } from '../../../core/access/who-can-change.ts';
import type { SchoolRuleFinder } from '../../../core/access/school-rules.ts';
import { assertionAudienceMetadata } from '../../../core/clients/assertion-audience.ts';
import { servedCopyHeader } from '../../../core/clients/client-source.ts';
import type { ClientFinder, Lookup } from '../../../core/clients/client-finder.ts';
import { verifiedApp } from '../../../core/clients/client-metadata.ts';
import { statedProperties } from '../../../core/enabled/client-property.ts';
import type { Site } from '../../../host/school-platform.ts';
import type { MetadataDocumentPolicy } from './document-policy.ts';
import { OAuthError } from '../../../kernel/errors.ts';
import { BlockedClient } from '../../../core/clients/blocked-client.ts';
import type { Limiter } from '../../../core/limits/request-limiters.ts';
import type { ClientMetadata } from '../../../records/codec.ts';
import { epochSeconds } from '../../../kernel/clock.ts';
import { type DocumentCache, type DocumentCopy, isUsed, shippedCopy, usableCopy } from './document-cache.ts';
import { type DocumentRefresher, isUndecided, type Occasion } from './document-refresher.ts';
import type { ReportChange, ReviewFinder } from '../../../core/access/version-approvals.ts';
import { approvedIn } from '../../../core/access/version-approvals.ts';
import type { Enabled } from '../../../core/enabled/enabled.ts';
import type { ScopeCatalogue } from '../../../core/scopes/scopes.ts';
import type { OnFault } from '../../../observe/events.ts';

export interface FinderOptions {
  readonly catalogue: ScopeCatalogue;
  readonly enabled: Enabled;
  readonly onFault: OnFault;
  readonly policy: MetadataDocumentPolicy;
  readonly cache: DocumentCache;
  readonly refresher: DocumentRefresher;
  readonly reviewOf: ReviewFinder;
  readonly reportChange: ReportChange;
  readonly schoolRule: SchoolRuleFinder;
  /** Limits the fetches of unused documents. */
  readonly limit: Limiter;
}

type Wanted = Extract<Lookup, object> & Pick<Occasion, 'stored' | 'copy'>;

/**
 * Finds clients that are Client ID Metadata Documents. Policy and review are evaluated at every use, so that removing a
 * host or withdrawing a review has immediate effect. Specification: Registration rules 3.
 */
export function documentClientFinder(options: FinderOptions): ClientFinder {
  const { policy, catalogue, cache, reviewOf, reportChange, onFault } = options;

  const fetchCopy = copyFetcher(options);

  async function currentCopy(clientId: string, wanted: Wanted): Promise<DocumentCopy> {
    const { purpose, copy, ctx } = wanted;
    if (copy && copy.freshUntil > epochSeconds()) return copy;
    // Nobody has a connection yet: the next authorization fetches it, and its quota bounds what is stored.
    if (copy && purpose === 'continue' && !isUsed(wanted.stored)) return copy;
    const fetched = fetchCopy(clientId, wanted);
    if (!copy || purpose === 'start') {
      return fetched.catch((error: unknown) => {
        if (!copy || !isUndecided(error)) throw error;
        ctx.set(servedCopyHeader, copy.date ?? 'last');
        return copy;
      });
    }
    fetched.catch((error: unknown) => {
      if (!(error instanceof OAuthError)) onFault('fetching a metadata document again failed', error);
    });
    return copy;
  }

  return async (siteId, clientId, lookup) => {
    policy.checkClientId(clientId);
    const known = policy.known?.(clientId) ?? {};
    const ofRow = { ...verifiedApp(known.app), ...assertionAudienceMetadata(known) };
    if (typeof lookup === 'string') return { ...(await identified(options, clientId, lookup)), ...ofRow };
    const [review, stored] = await Promise.all([reviewOf(siteId, clientId), cache.find(clientId)]);
    const copy = usableCopy(stored) ?? shippedCopy(policy, clientId, stored);
    const isRejected = review?.decision === 'rejected';
    if (isRejected && !copy) throw blocked(clientId);
    // The page says that the school has blocked it. Nothing is fetched for that.
    const { document, since, date } =
      isRejected && copy ? copy : await currentCopy(clientId, { ...lookup, stored, copy });
    const checked = policy.checkDocument(clientId, document);
    const approved = approvedIn(review, checked.digest);
    if (review?.version && !approved) await reportChange(siteId, clientId, checked.digest);
    const scopes = approved ? [] : await policy.allowedScopes(clientId, checked.digest, catalogue.rows);
    const { logo_uri: logo } = checked.metadata;
    return {
      ...checked.metadata,
      // Which logo it is, is not part of the version.
      logo_uri: approved && (approved.logoDigest === undefined || approved.logoUri !== logo) ? undefined : logo,
      campus_logo_digest: approved?.logoDigest,
      // What it may ask for. What it may get, the allowance says: the consent page shows an administrator the rest, to approve it.
      scope: catalogue.of('operator').join(' '),
      ...ofRow,
      ...statedProperties(options.enabled, document),
      campus_audience: 'operator',
      campus_source: 'document',
      campus_same_since: since,
      campus_digest: checked.digest,
      campus_copy_date: date,
      campus_decision: review && `${review.decision} ${review.at}`,
      // An unreviewed document has no write scope. Specification: Registration rules 3.
      campus_reviewed: approved !== undefined || scopes.some((scope) => catalogue.row(scope)?.access === 'write'),
    };
  };
}

/** One fetch of a document at a time for each school: concurrent callers share its result or its error. */
function copyFetcher(options: FinderOptions): (clientId: string, wanted: Wanted) => Promise<DocumentCopy> {
  const { refresher, limit } = options;
  const running = new Map<string, Promise<DocumentCopy>>();

  async function fetchCopy(clientId: string, { stored, copy, ctx, site }: Wanted): Promise<DocumentCopy> {
    await refuseBlocked(options, site, clientId);
    refresher.refuseRecentFailure(clientId);
    if (!isUsed(stored)) await limit(ctx, site);
    return refresher.refresh(clientId, { siteId: site.id, stored, copy });
  }

  return (clientId, wanted) => {
    const key = `${wanted.site.id} ${clientId}`;
    const fetching = running.get(key) ?? fetchCopy(clientId, wanted).finally(() => running.delete(key));
    running.set(key, fetching);
    return fetching;
  };
}

/** Nothing is fetched for a school that has blocked it. What policies say depends on the person, whom nobody knows yet. */
async function refuseBlocked({ policy, schoolRule }: FinderOptions, site: Site, clientId: string): Promise<void> {
  const app = policy.known?.(clientId)?.app?.id;
  const { rule } = await schoolRule(site.id, { clientId, app });
  if (rule?.access === 'blocked') throw blocked(clientId);
}

function blocked(clientId: string): BlockedClient {
  return new BlockedClient(refusals.client_blocked, URL.parse(clientId)?.host ?? clientId, 'school');
}

/** The client without a fetch; to authenticate it, by the document as it was last fetched, or came with the policy. */
async function identified(
  { policy, enabled, cache }: FinderOptions,
  clientId: string,
  lookup: Extract<Lookup, string>,
): Promise<ClientMetadata> {
  const wanted = lookup === 'authenticate' && enabled.takesKeys;
  const stored = wanted ? await cache.find(clientId) : undefined;
  const document = wanted && (stored?.document ?? shippedCopy(policy, clientId, stored)?.document);
  if (!document) return publicClient(clientId);
  const { token_endpoint_auth_method, jwks, jwks_uri } = policy.checkDocument(clientId, document).metadata;
  return { ...publicClient(clientId), token_endpoint_auth_method, jwks, jwks_uri };
}

/** A public client is identified by its id: this is enough to let it revoke and introspect its own tokens. */
function publicClient(clientId: string): ClientMetadata {
  return {
    client_id: clientId,
    redirect_uris: [],
    grant_types: [],
    response_types: [],
    token_endpoint_auth_method: 'none',
    campus_audience: 'operator',
    campus_source: 'document',
  };
}
