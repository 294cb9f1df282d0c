import * as z from 'zod';
import { schoolArgument } from '../../host/site-argument.ts';
import type { ArgumentsOf } from '../../kernel/arguments.ts';
import { group, type Shape, text } from '../../kernel/option-schemas.ts';
import { namedAppArgument } from '../../core/apps/named-app.ts';
import type { Checks } from '../method-checks.ts';
import type { Parts } from '../parts.ts';
import type { People, PeopleMethods, PeopleQuery } from './method-types.ts';
import { createPeople } from './people.ts';

export function peopleMethods({ core, school }: Parts, checks: Checks): PeopleMethods {
  const { host, records, rules } = core;
  const { connections } = school.connections;
  const people = createPeople({ store: records.store, platform: host.platform, rules, connections });
  return { people: checks.ofSchools('people', people, ofPeople) };
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
