import type { DescribedApp } from '../known-apps/known-apps.ts';
import type { WayIn } from './app.ts';
import type { AccessPolicies } from './ask-policies.ts';
import type { ListSources } from './listed-permission.ts';
import type { SchoolRuleFinder } from './school-rules.ts';
import type { SchoolAppIds } from './school-apps.ts';

/** The rules for apps and clients. */
export interface AppRuleFinders extends Omit<AccessOptions, 'apps'> {
  readonly schoolRule: SchoolRuleFinder;
  readonly sources: ListSources;
  /** Those for which a rule can be set. */
  readonly apps: SchoolAppIds;
}

/** What the host has set for apps. */
export interface AccessOptions {
  readonly access: AccessPolicies;
  /** The row of a client whose id alone tells which app it is. */
  readonly rowOf: (clientId: string) => DescribedApp | undefined;
  /** The id of that row. */
  readonly appIdOf: (clientId: string) => string | undefined;
  /** The ids of the apps that clients in code have, and that policies name. */
  readonly apps: ReadonlySet<string>;
  /** The ways in which an app can become a client. */
  readonly waysOf: (app: string) => readonly WayIn[];
  /** The clients in code that are an app. */
  readonly clientsInCode: (app: string) => readonly string[];
  /** Whether the platform has reviewed a version of a client itself. */
  readonly reviewedInCode: (clientId: string, digest: string) => Promise<boolean>;
}
