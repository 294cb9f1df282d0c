import type { DocumentReviewRecord } from '../../records/codec.ts';
import { type ScopeCatalogue, splitScope } from '../scopes/scopes.ts';

/** The decision of a school on a client. */
export type ReviewFinder = (siteId: string, clientId: string) => Promise<DocumentReviewRecord | undefined>;

/** Writes to the school's audit log that a client has changed, once for a version that its administrators can look at. */
export type ReportChange = (siteId: string, clientId: string, digest: string) => Promise<void>;

/** Whether an administrator has approved the version with this digest. */
export function isApproved(review: DocumentReviewRecord | undefined, digest: string): review is DocumentReviewRecord {
  return review?.decision === 'approved' && review.digest === digest;
}

/** The scopes that an administrator has approved for the version with this digest. */
export function approvedBy(
  review: DocumentReviewRecord | undefined,
  digest: string,
  { all }: ScopeCatalogue,
): readonly string[] {
  if (!isApproved(review, digest)) return [];
  return review.scopes === undefined ? all : splitScope(review.scopes);
}
