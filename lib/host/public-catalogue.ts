import type { MaybePromise, Site } from './school-platform.ts';
import type { CallOptions, DataPage, PageRequest } from './member-data.ts';

/** A public course. */
export interface PublicCourse {
  /** The course's slug, unique at its school. */
  readonly slug: string;
  /** The course's name. */
  readonly name: string;
  /** A summary in plain text. */
  readonly summary?: string | undefined;
  /** The address of the course's page. */
  readonly url?: string | undefined;
}

/** A query for public courses. */
export interface CatalogueRequest extends PageRequest {
  /** The search text as the person typed it. @default every course */
  readonly search?: string | undefined;
}

/**
 * The public courses of a school, for the tools `list_courses` and `search_courses`. An error that it throws is a fault of the platform.
 * For an unknown cursor, throw `InvalidRequest`. Its message is sent to the caller.
 */
export interface PublicCatalogue<School extends Site = Site> {
  /** Returns one page of the courses that the school advertises, without hidden, unpublished or members-only courses. */
  courses(site: School, request: CatalogueRequest, call: CallOptions): MaybePromise<DataPage<PublicCourse>>;
}

export const publicCatalogueMethods: readonly (keyof PublicCatalogue)[] = ['courses'];
