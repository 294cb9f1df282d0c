import type { Context } from 'koa';
import type { Only } from '../core/boundaries/boundary.ts';
import type { ClientInfo } from '../core/clients/client.ts';
import type { Scope } from '../core/scopes/scopes.ts';
import type { Site } from '../host/school-platform.ts';
import type { Form } from '../http/body.ts';
import type { FeatureSettings } from '../options/options.ts';
import type { Records } from '../records/records.ts';
import type { ConsentPage } from '../pages/consent-parties.ts';
import type { PageBuilder } from '../pages/kit/pages.ts';
import type { people, ScopeCounts } from '../pages/example-clients.ts';

/** A page that stands alone. */
export type Message = (ctx: Context, site: Site) => PageBuilder;

/** A consent page. */
export interface ConsentExample {
  readonly client?: ClientInfo;
  /** How many scopes of each kind it asks for. */
  readonly asks?: ScopeCounts;
  readonly more?: (scopes: readonly Scope[]) => Partial<ConsentPage>;
}

/** The person who looks at an example, and the school that they find. */
export interface Scene {
  readonly as?: keyof typeof people | undefined;
  /** Whether the school has nothing yet. */
  readonly empty?: boolean | undefined;
  /** Whether the platform tells which roles there are. @default true */
  readonly tellsRoles?: boolean | undefined;
  /** Options of features, made from the scopes that members can give. */
  readonly settings?: ((scopes: readonly Scope[]) => Partial<FeatureSettings>) | undefined;
  /** To what the person has limited an app. @default nothing */
  readonly only?: Only | undefined;
}

/** A page as one of its routes answers it. */
export interface Visit extends Scene {
  readonly route: string;
  /** The value of `:id`. */
  readonly id?: string | undefined;
  readonly query?: string | undefined;
  /** What was posted, with the scopes of the first application. @default nothing: it was opened */
  readonly form?: Form | ((scopes: readonly Scope[]) => Form) | undefined;
  readonly site?: Partial<Site> | undefined;
}

/** The pages of features in the gallery, by name. */
export interface FeatureExamples {
  /** Its options at the school of the examples, in place of those of the host. */
  readonly settings?: Partial<FeatureSettings>;
  /** Stores what no method of the school writes. */
  readonly store?: (records: Records) => Promise<void>;
  readonly messages?: Readonly<Record<string, Message>>;
  readonly consents?: Readonly<Record<string, ConsentExample>>;
  readonly visits?: Readonly<Record<string, Visit>>;
}

/** The paths of the examples: their links lead nowhere. */
export const examplePaths = {
  developers: '#applications',
  apps: '#connections',
  yourApps: '#your-apps',
} as const;
