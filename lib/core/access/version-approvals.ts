import { type ScopeCatalogue, splitScope } from '../scopes/scopes.ts';
import type { ApprovedVersion, Review } from './review.ts';

/** The decision of a school on a client. */
export type ReviewFinder = (siteId: string, clientId: string) => Promise<Review | undefined>;

/** A school's approval of a client. */
export interface Approval {
  /** When it was given, in seconds since the epoch. */
  readonly at: number;
  /** The id of the member who gave it. @default unknown: the host has not said it */
  readonly by?: string | undefined;
}

/** A school's approval of a version of a client. */
export type ApprovalFinder = (siteId: string, clientId: string, digest: string) => Promise<Approval | undefined>;

/** Writes to the school's audit log that a client has changed, once for a version that its administrators can look at. */
export type ReportChange = (siteId: string, clientId: string, digest: string) => Promise<void>;

/** What an administrator has approved, if it is the version with this digest. */
export function approvedIn(review: Review | undefined, digest: string): ApprovedVersion | undefined {
  return review?.version?.digest === digest ? review.version : undefined;
}

/** The scopes that an administrator has approved for the version with this digest. */
export function approvedBy(review: Review | undefined, digest: string, { all }: ScopeCatalogue): readonly string[] {
  const version = approvedIn(review, digest);
  if (!version) return [];
  return version.scopes === undefined ? all : splitScope(version.scopes);
}
