import {
  type ConstDirectiveNode,
  type GraphQLCompositeType,
  type GraphQLNamedType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  Kind,
} from 'graphql';
import { isScope } from '../../protocol/scopes.ts';

/** The scopes that a field requires, often none. `__typename` is a field too. */
export type FieldScopes = (type: GraphQLCompositeType, field: string) => readonly string[];

interface Declared {
  readonly astNode?: { readonly directives?: readonly ConstDirectiveNode[] | undefined } | null | undefined;
  readonly extensionASTNodes?: GraphQLNamedType['extensionASTNodes'];
}

/**
 * Reads `@requiresScopes` from a schema. The directive on an interface applies to the types that implement it. A field of
 * an interface or union requires the scopes of all its possible types, since the value can have any of them.
 *
 * @throws TypeError for a scope that is not in the catalogue
 */
export function guardedFields(schema: GraphQLSchema): FieldScopes {
  const guards = new Map<string, ReadonlyMap<string, readonly string[]>>();
  const composites = Object.values(schema.getTypeMap()).filter(isCompositeType);
  for (const type of composites) {
    const fields = new Map<string, readonly string[]>();
    for (const field of fieldNames(type)) {
      const behind = isAbstractType(type) ? [type, ...schema.getPossibleTypes(type)] : [type];
      const scopes = behind.flatMap((target) => [...own(target, field), ...inherited(target, field)]);
      if (scopes.length > 0) fields.set(field, [...new Set(scopes)]);
    }
    if (fields.size > 0) guards.set(type.name, fields);
  }
  return (type, field) => guards.get(type.name)?.get(field) ?? [];
}

function fieldNames(type: GraphQLCompositeType): string[] {
  return ['__typename', ...('getFields' in type ? Object.keys(type.getFields()) : [])];
}

function inherited(type: GraphQLCompositeType, field: string): string[] {
  return 'getInterfaces' in type ? type.getInterfaces().flatMap((parent) => own(parent, field)) : [];
}

/** The scopes of the type and of its field. */
function own(type: GraphQLCompositeType, field: string): string[] {
  const definition = 'getFields' in type ? type.getFields()[field] : undefined;
  return [...declared(type, type.name), ...(definition ? declared(definition, `${type.name}.${field}`) : [])];
}

function declared({ astNode, extensionASTNodes = [] }: Declared, at: string): string[] {
  const directives = [astNode, ...extensionASTNodes].flatMap((node) => node?.directives ?? []);
  return directives
    .filter(({ name }) => name.value === 'requiresScopes')
    .flatMap((directive) => scopesOf(directive, at));
}

function scopesOf({ arguments: args }: ConstDirectiveNode, at: string): string[] {
  const value = args?.find(({ name }) => name.value === 'scopes')?.value;
  const items = value?.kind === Kind.LIST ? value.values : value ? [value] : [];
  return items.map((item) => {
    if (item.kind === Kind.STRING && isScope(item.value)) return item.value;
    const other = item.kind === Kind.STRING ? JSON.stringify(item.value) : 'another value';
    throw new TypeError(`memberApi.typeDefs must name scopes of the catalogue; @requiresScopes of ${at} has ${other}`);
  });
}
