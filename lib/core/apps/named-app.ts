import * as z from 'zod';
import type { AppTarget } from '../access/app-rule.ts';
import type { NamedApp } from './apps.ts';

/** What a method of `campus.apps` is asked about. */
export function targetOf(app: NamedApp): AppTarget {
  return typeof app === 'string' ? { app } : app;
}

/** The same for such a method. */
export function namedApp(target: AppTarget): NamedApp {
  return 'app' in target ? target.app : target;
}

/** How such a method takes it. @internal */
export const namedAppArgument = z
  .union([z.string(), z.strictObject({ clientId: z.string() })], 'be the id of an app, or { clientId } for one client')
  .meta({ isShown: true });
