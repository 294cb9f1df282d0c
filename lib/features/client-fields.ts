import type { Application } from '../core/applications/application.ts';
import type { Site } from '../host/school-platform.ts';
import { deviceCommands } from './device/commands.ts';
import { deviceElsewhere } from './device/texts.ts';
import type { FeatureClientFields } from './options.ts';
import type { FeatureText } from './texts.ts';

/** Returns a program in a shell. */
export type Commands = (site: Site, application: Application) => string;

/** By the member of a client that gives it a grant type: a program in a shell that uses such an application, if there is a short one. */
export const featureCommands: { readonly [F in keyof FeatureClientFields]?: Commands } = { device: deviceCommands };

/** Where it goes on, and warnings. */
export interface Elsewhere {
  readonly place: readonly [name: FeatureText, value: FeatureText];
  readonly warnings: readonly FeatureText[];
}

/** By the member of a client that gives it a grant type: what the consent page says if the grant starts elsewhere (`startsAt`), so that nobody is sent back to an address. */
export const elsewhere: { readonly [F in keyof FeatureClientFields]?: Elsewhere } = { device: deviceElsewhere };
