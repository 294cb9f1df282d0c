import type { MemberApiOptions } from '../plugin-contract/member-api.ts';
import type { Member, Site } from '../host/school-platform.ts';
import type { MemberApiPlugin } from '../plugin-contract/plugin.ts';
import { paths } from '../http/paths.ts';
import { protectedResource } from '../core/scopes/protected-resources.ts';
import { readOptions } from '../kernel/validate.ts';
import { memberRoutes } from './http/routes.ts';
import { memberApiSchema } from './options.ts';
import { isObjectType, type GraphQLSchema } from 'graphql';
import { type MemberData, memberDataMethods } from '../host/member-data.ts';
import { checkOpenFields, openFields } from './scopes/open-fields.ts';
import { executableSchema } from './schema/executable-schema.ts';
import { guardedFields, scopesIn } from './scopes/guarded-fields.ts';

/**
 * Creates the Member API, `/member/graphql`. Pass the result to `createCampus`. Specification: Member API.
 *
 * @throws TypeError that names an invalid option by its path, for example `memberApi.limits.depth must be a whole number`;
 * `createCampus` throws one if `typeDefs` and `resolvers` do not fit the schema
 */
export function memberApi<School extends Site = Site, Person extends Member = Member>(
  options?: MemberApiOptions<School, Person>,
): MemberApiPlugin<School, Person>;
// Inside, a school is a `Site`: the campus passes `data` and resolvers what its platform has returned.
export function memberApi(options: MemberApiOptions = {}): MemberApiPlugin {
  const settings = readOptions(memberApiSchema, options, 'memberApi');
  const { introspection, graphiql } = settings;
  return {
    name: 'memberApi',
    mount: (services) => {
      const { catalogue, boundaries } = services;
      const served = executableSchema(settings);
      const { schema, builtIn } = served;
      const scopesOf = guardedFields(schema, catalogue, boundaries);
      const open = openFields(served, scopesOf);
      checkOpenFields(open, settings, boundaries);
      return {
        resources: [protectedResource(catalogue, paths.memberGraphql, scopesIn(schema, scopesOf))],
        routes: memberRoutes({ services, settings, schema, builtIn, scopesOf }),
        description: {
          schema: introspection,
          fields: servedFields(schema),
          graphiql: graphiql !== false,
          open,
        },
      };
    },
  };
}

/** The methods of `MemberData` whose fields exist. */
function servedFields(schema: GraphQLSchema): (keyof MemberData)[] {
  const types = [schema.getType('Viewer'), schema.getMutationType()].filter(isObjectType);
  return memberDataMethods.filter((method) => types.some((type) => method in type.getFields()));
}
