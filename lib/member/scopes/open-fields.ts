import { buildASTSchema, getNamedType, type GraphQLSchema, isInterfaceType, isObjectType, parse } from 'graphql';
import type { MemberApiSettings } from '../options.ts';
import { memberSchema } from '../schema/sdl.ts';
import type { FieldScopes } from './guarded-fields.ts';

/** What the viewer has without the platform's data. */
const identity = ['id', 'name', 'email'];

/** The fields of the viewer, and those that the host adds to a built-in type, that a token without scopes can reach. */
export function openFields(schema: GraphQLSchema, scopesOf: FieldScopes, settings: MemberApiSettings): string[] {
  const { data, resolvers } = settings;
  const builtIn = buildASTSchema(parse(memberSchema));
  const open = new Set<string>();
  const seen = new Set<string>();
  const visit = (name: string | undefined): void => {
    const type = name === undefined || seen.has(name) ? undefined : schema.getType(name);
    if (!name || !(isObjectType(type) || isInterfaceType(type))) return;
    seen.add(name);
    const before = builtIn.getType(name);
    for (const field of Object.values(type.getFields())) {
      if (scopesOf(type, field.name).length > 0) continue;
      const isOwn = isObjectType(before) && !(field.name in before.getFields());
      const isServed = isOwn || data !== undefined || identity.includes(field.name) || hasResolver(field.name);
      if (name === 'Viewer' && !isServed) continue;
      if (isOwn || name === 'Viewer') open.add(`${name}.${field.name}`);
      visit(getNamedType(field.type).name);
    }
  };
  const hasResolver = (field: string): boolean => Object.hasOwn(resolvers?.['Viewer'] ?? {}, field);
  for (const root of [schema.getQueryType(), schema.getMutationType()]) visit(root?.name);
  return [...open];
}
