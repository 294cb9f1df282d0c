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

/** The same, or its origin. */
export const schoolArgument: z.ZodType<Site | string> = z.custom<Site | string>(
  (value) => typeof value === 'string' || isSite(value),
  'be a school, as platform.findSite returns it, or its origin',
);
