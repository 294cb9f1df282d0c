import * as z from 'zod';
import { schoolArgument } from '../../host/site-argument.ts';
import type { ArgumentsOf } from '../../kernel/arguments.ts';
import { group, type Shape, text } from '../../kernel/option-schemas.ts';
import { namedAppArgument } from '../../core/apps/named-app.ts';
import type { Checks } from '../method-checks.ts';
import type { Parts } from '../parts.ts';
import type { People, PeopleQuery } from '../../core/connections/people.ts';
import type { PeopleMethods } from './method-types.ts';

export function peopleMethods({ school }: Parts, checks: Checks): PeopleMethods {
  return { people: checks.ofSchools('people', school.people, ofPeople) };
}

const ofPeople: ArgumentsOf<People> = {
  find: {
    site: schoolArgument,
    query: group({
      role: text().optional(),
      app: namedAppArgument.optional(),
      search: text().max(200, 'have at most 200 characters').optional(),
      cursor: z.string().optional(),
    } satisfies Shape<PeopleQuery>).optional(),
  },
};
