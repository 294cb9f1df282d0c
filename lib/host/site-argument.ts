import * as z from 'zod';
import { isObject } from '../kernel/validate.ts';
import type { Site } from './school-platform.ts';

export function isSite(value: unknown): value is Site {
  return (
    isObject(value) &&
    [value['id'], value['origin']].every((member) => typeof member === 'string' && member.isWellFormed())
  );
}

/** A school, where the host calls a method. */
export const siteArgument: z.ZodType<Site> = z.custom<Site>(isSite, 'be a school, as platform.findSite returns it');
