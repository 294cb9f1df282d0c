import type { Browser } from '../helpers/browser.ts';
import type { Schools, SchoolsOptions } from '../helpers/schools.ts';

/** The schools of one row. */
export interface RowSchools extends Pick<Schools, 'harbour' | 'summit' | 'people' | 'campus'> {
  /** A browser in which this person is signed in at the platform. */
  readonly browser: (person: string) => Browser;
}

/** What a check may use. */
export interface CheckContext {
  /** Starts schools for this row alone; they are closed after it. */
  readonly start: (options?: SchoolsOptions) => Promise<RowSchools>;
}

/** A normative sentence of the specification, in our words. */
export interface Row {
  /** Four hex digits that mean nothing and never change: commits and issues point to them. */
  readonly id: string;
  /** One of `headings`, and where in it. */
  readonly section: string;
  /** Begins with MUST, SHOULD or MAY. */
  readonly sentence: string;
  /** Asks a running server over HTTP, and throws when the sentence does not hold. No Jest in here: scripts import it. */
  readonly check: (ctx: CheckContext) => Promise<void>;
}

/** The specification's headings, in its order. */
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
