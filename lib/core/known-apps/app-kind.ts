import * as z from 'zod';

/**
 * What an app is.
 *
 * - `assistant`: what nobody knows better, and what acts on a person's behalf.
 * - `website`: people sign in to it, or it is a page of the platform.
 * - `service`: it acts for the school, without a person.
 */
export type AppKind = 'assistant' | 'website' | 'service';

/** @internal */
export const appKinds = ['assistant', 'website', 'service'] as const satisfies readonly AppKind[];

/** @internal */
export const appKindField = z.enum(appKinds, 'be "assistant", "website" or "service"');
