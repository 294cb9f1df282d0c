import type { Browser } from '../helpers/browser.ts';
import type { Schools, SchoolsOptions } from '../helpers/schools.ts';

/** The schools of one row. */
export interface RowSchools extends Pick<Schools, 'harbour' | 'summit' | 'people' | 'campus'> {
  /** A browser in which this person is signed in at the platform. */
  readonly browser: (person: string) => Browser;
}

/** The input of a check. */
export interface CheckContext {
  /** Starts schools for this row only; they are closed after the check. */
  readonly start: (options?: SchoolsOptions) => Promise<RowSchools>;
}

/** A normative sentence of the specification, paraphrased. */
export interface Row {
  /** Four random hex digits that never change: commits and issues refer to them. */
  readonly id: string;
  /** One of `headings`, followed by the place under it. */
  readonly section: string;
  /** Begins with MUST, SHOULD or MAY. */
  readonly sentence: string;
  /** Checks a running server over HTTP and throws if the sentence does not hold. Scripts import it, so it uses no Jest. */
  readonly check: (ctx: CheckContext) => Promise<void>;
}

/** The specification's headings, in order. */
export const headings = [
  'Introduction',
  'What the service does',
  'Resources: Viewer',
  'Resources: OAuth client',
  'Resources: Tokens',
  'Resources: Admin-API resources',
  'Endpoints: Discovery and description',
  'Endpoints: OAuth endpoints',
  'Endpoints: Authorize query parameters',
  'Endpoints: Token endpoint parameters',
  'Endpoints: Member API',
  'Endpoints: Tool endpoint',
  'Endpoints: Admin API',
  'Authentication: Flow',
  'Authentication: Registration rules',
  'Authentication: Audience binding',
  'Authentication: Anonymous and missing tokens',
  'Authentication: ID token verification',
  'Scopes',
  'Errors',
  'Limits',
] as const;
