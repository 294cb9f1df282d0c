import type { Incident, IncidentOptions, Incidents, Schools } from '../../core/apps/incidents.ts';
import { namedAppArgument } from '../../core/apps/named-app.ts';
import * as z from 'zod';
import type { ArgumentsOf } from '../../kernel/arguments.ts';
import { flag, func, group, type Shape, text } from '../../kernel/option-schemas.ts';
import type { Checks } from '../method-checks.ts';
import type { Parts } from '../parts.ts';
import type { AppsMethods } from './method-types.ts';

export function appsMethods({ school }: Parts, checks: Checks): AppsMethods {
  return { incidents: checks.methods('incidents', school.apps.incidents, ofIncidents) };
}

/** One origin is an iterable of characters. */
const isSchools = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (Symbol.iterator in value || Symbol.asyncIterator in value);

const schools = z.custom<Schools>(isSchools, 'be schools or their origins, as an array or another iterable');

const options = {
  id: z.string().regex(/^[\w.-]{1,100}$/, 'be 1 to 100 letters, digits, ".", "_" or "-"'),
  by: text().optional(),
  dryRun: flag.optional(),
  onSchool: func<NonNullable<IncidentOptions['onSchool']>>().optional(),
} satisfies Shape<IncidentOptions>;

const incident = {
  ...options,
  app: namedAppArgument,
  note: z.string().max(1000, 'have at most 1,000 characters').optional(),
} satisfies Shape<Incident>;

const ofIncidents: ArgumentsOf<Incidents> = {
  block: { schools, incident: group(incident) },
  restore: { schools, incident: group(options) },
};
