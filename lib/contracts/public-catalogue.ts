import type { MaybePromise, Site } from './member.ts';
import type { CallOptions, DataPage, PageRequest } from './member-data.ts';

/** A course as anybody may see it. */
export interface PublicCourse {
  readonly slug: string;
  readonly name: string;
  /** Plain text. */
  readonly summary?: string | undefined;
  /** The course's page. */
  readonly url?: string | undefined;
}

/** Which courses of a catalogue are asked for. */
export interface CatalogueRequest extends PageRequest {
  /** Words to look for, as a person typed them; absent for all courses. */
  readonly search?: string | undefined;
}

/**
 * What a site shows of itself to anybody, for the tools `list_courses` and `search_courses`. What it throws is a fault;
 * only a cursor that is not yours is the caller's mistake: throw `InvalidRequest`, whose message they read.
 */
export interface PublicCatalogue {
  /** One page of the courses that the site advertises: nothing that is hidden, unpublished or for members alone. */
  courses(site: Site, request: CatalogueRequest, call: CallOptions): MaybePromise<DataPage<PublicCourse>>;
}
