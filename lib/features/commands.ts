import type { Application } from '../applications/application.ts';
import type { Site } from '../host/school-platform.ts';
import { deviceCommands } from './device/commands.ts';
import type { FeatureClientFields } from './options.ts';

/** Returns a program in a shell. */
export type Commands = (site: Site, application: Application) => string;

/** A program in a shell that uses an application that people can authorize without a redirect URI, by the member that says so. */
export const featureCommands: { readonly [F in keyof FeatureClientFields]-?: Commands } = { device: deviceCommands };
