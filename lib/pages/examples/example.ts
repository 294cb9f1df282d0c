import type { Context } from 'koa';
import type { ShownBoundary } from '../../core/boundaries/limit-choices.ts';
import type { ClientInfo } from '../../core/clients/client.ts';
import type { Scope } from '../../core/scopes/scopes.ts';
import type { Site } from '../../host/school-platform.ts';
import type { ConsentPage } from '../consent-parties.ts';
import type { PageBuilder } from '../kit/pages.ts';
import type { people, ScopeCounts } from './example-clients.ts';

/** A page that stands alone. */
export type Message = (ctx: Context, site: Site) => PageBuilder;

/** A consent page. */
export interface ConsentExample {
  readonly client?: ClientInfo;
  /** How many scopes of each kind it asks for. */
  readonly asks?: ScopeCounts;
  readonly more?: (scopes: readonly Scope[]) => Partial<ConsentPage>;
}

/** The person who looks at an example, and what they find. */
export interface Scene {
  readonly as?: keyof typeof people | undefined;
  /** Whether the school has nothing yet. */
  readonly empty?: boolean | undefined;
  /** What an app can be limited to. @default the platform lists nothing */
  readonly limits?: readonly ShownBoundary[] | undefined;
}

/** A page as one of its routes answers it. */
export interface Visit extends Scene {
  readonly route: string;
  /** The value of `:id`. */
  readonly id?: string | undefined;
  readonly query?: string | undefined;
  /** What was posted. @default nothing: it was opened */
  readonly form?: Readonly<Record<string, string>> | undefined;
  readonly site?: Partial<Site> | undefined;
}

/** The pages of features in the gallery, by name. */
export interface FeatureExamples {
  readonly messages?: Readonly<Record<string, Message>>;
  readonly consents?: Readonly<Record<string, ConsentExample>>;
  readonly visits?: Readonly<Record<string, Visit>>;
}

/** The paths of the examples: their links lead nowhere. */
export const examplePaths = {
  applications: '#applications',
  connections: '#connections',
  connectedApps: '#connected-apps',
} as const;
