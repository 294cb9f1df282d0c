import {
  type ConstDirectiveNode,
  type GraphQLCompositeType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  isObjectType,
  Kind,
} from 'graphql';
import type { DeclaredBoundary } from '../../core/boundaries/boundary.ts';
import { checkHonours } from '../../core/boundaries/honours-field.ts';
import type { ScopeCatalogue } from '../../core/scopes/scopes.ts';
import { optionError } from '../../kernel/validate.ts';
import { checkEach } from '../../kernel/check-each.ts';

/** A scope that a field requires, and the types of boundaries that the field honours. */
export interface FieldScope {
  readonly scope: string;
  readonly honours: readonly string[];
}

/** The scopes that a field requires, often none. `__typename` is a field too. */
export type FieldScopes = (type: GraphQLCompositeType, field: string) => readonly FieldScope[];

/**
 * Reads `@requiresScopes` from a schema. The directive on an interface applies to the types that implement it. A field of
 * an interface or union requires the scopes of all its possible types, since the value can have any of them.
 *
 * @throws TypeError for a scope that is not in the catalogue, and for a type of boundary that is not declared
 */
export function guardedFields(
  schema: GraphQLSchema,
  catalogue: ScopeCatalogue,
  boundaries: readonly DeclaredBoundary[] = [],
): FieldScopes {
  const guards = new Map<string, ReadonlyMap<string, readonly FieldScope[]>>();
  const composites = Object.values(schema.getTypeMap()).filter(isCompositeType);
  checkEach(composites, (type) => {
    const fields = new Map<string, readonly FieldScope[]>();
    checkEach(['__typename', ...Object.keys('getFields' in type ? type.getFields() : {})], (field) => {
      const behind = isAbstractType(type) ? [type, ...schema.getPossibleTypes(type)] : [type];
      const required = behind.flatMap((target) => [...own(target, field), ...inherited(target, field)]);
      checkEach(required, ({ scope, honours, at }) => {
        if (catalogue.leftOut.includes(scope)) throw leftOut(scope, at);
        if (!catalogue.has(scope)) throw notInCatalogue(at, JSON.stringify(scope));
        checkHonours(boundaries, honours, `memberApi.typeDefs: honours of ${at}`);
      });
      if (required.length > 0) fields.set(field, distinct(required));
    });
    if (fields.size > 0) guards.set(type.name, fields);
  });
  return (type, field) => guards.get(type.name)?.get(field) ?? [];
}

/** Every scope that a field of the schema requires. */
export function scopesIn(schema: GraphQLSchema, fieldScopes: FieldScopes): ReadonlySet<string> {
  const types = Object.values(schema.getTypeMap()).filter(isObjectType);
  const all = types.flatMap((type) => Object.keys(type.getFields()).flatMap((field) => fieldScopes(type, field)));
  return new Set(all.map(({ scope }) => scope));
}

/** Each once: a scope that is required twice counts with what both honour only if they say the same. */
function distinct(all: readonly FieldScope[]): FieldScope[] {
  const found = all.map(({ scope, honours }) => ({ scope, honours }));
  return [...new Map(found.map((each) => [JSON.stringify([each.scope, each.honours]), each])).values()];
}

/** A scope, and the type or field whose directive names it. */
interface DeclaredScope extends FieldScope {
  readonly at: string;
}

function inherited(type: GraphQLCompositeType, field: string): DeclaredScope[] {
  return 'getInterfaces' in type ? type.getInterfaces().flatMap((parent) => own(parent, field)) : [];
}

/** The scopes of the type and of its field. */
function own(type: GraphQLCompositeType, field: string): DeclaredScope[] {
  const definition = 'getFields' in type ? type.getFields()[field] : undefined;
  const ofType = [type.astNode, ...type.extensionASTNodes].flatMap((node) => node?.directives ?? []);
  return [...declared(ofType, type.name), ...declared(definition?.astNode?.directives, `${type.name}.${field}`)];
}

function declared(directives: readonly ConstDirectiveNode[] = [], at: string): DeclaredScope[] {
  const found = directives.filter(({ name }) => name.value === 'requiresScopes');
  return found.flatMap((directive) => scopesOf(directive, at));
}

function scopesOf({ arguments: args }: ConstDirectiveNode, at: string): DeclaredScope[] {
  const textsOf = (argument: string): string[] => {
    const value = args?.find(({ name }) => name.value === argument)?.value;
    const items = value?.kind === Kind.LIST ? value.values : value ? [value] : [];
    return items.map((item) => {
      if (item.kind !== Kind.STRING) throw notInCatalogue(at, 'another value');
      return item.value;
    });
  };
  const honours = textsOf('honours');
  return textsOf('scopes').map((scope) => ({ scope, honours, at }));
}

/** Fields of the built-in schema also name scopes. */
function leftOut(scope: string, at: string): TypeError {
  const demand = `not require ${JSON.stringify(scope)}, which scopes.only leaves out; @requiresScopes of ${at} names it`;
  return optionError('memberApi', demand);
}

function notInCatalogue(at: string, what: string): TypeError {
  return new TypeError(`memberApi.typeDefs must name scopes of the catalogue; @requiresScopes of ${at} has ${what}`);
}
