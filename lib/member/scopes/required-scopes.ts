import { type GraphQLSchema, getNamedType, isCompositeType, Kind, type SelectionSetNode } from 'graphql';
import type { Operation } from '../request/operation.ts';
import type { FieldScope, FieldScopes } from './guarded-fields.ts';

/** Scopes that are required by fields which honour the same boundaries. */
export interface RequiredScopes {
  readonly honours: readonly string[];
  readonly scopes: readonly string[];
}

/** The scopes that an operation requires. A fragment is visited once, since its type does not depend on the spread. */
export function requiredScopes(
  schema: GraphQLSchema,
  scopesOf: FieldScopes,
  operation: Operation,
): readonly RequiredScopes[] {
  const required = new Map<string, { honours: readonly string[]; scopes: Set<string> }>();
  const seen = new Set<string>();
  visit(operation.definition.selectionSet, schema.getRootType(operation.definition.operation));
  return [...required.values()].map(({ honours, scopes }) => ({ honours, scopes: [...scopes] }));

  function add({ scope, honours }: FieldScope): void {
    const key = honours.join(' ');
    const together = required.get(key) ?? { honours, scopes: new Set() };
    required.set(key, together);
    together.scopes.add(scope);
  }

  function visit(selectionSet: SelectionSetNode | undefined, type: unknown): void {
    if (!selectionSet || !isCompositeType(type)) return;
    for (const selection of selectionSet.selections) {
      if (!operation.mayRun(selection.directives)) continue;
      if (selection.kind === Kind.FIELD) {
        const field = selection.name.value;
        for (const each of scopesOf(type, field)) add(each);
        // Introspection fields are not found, and nothing in them requires scopes.
        visit(selection.selectionSet, getNamedType('getFields' in type ? type.getFields()[field]?.type : undefined));
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        const condition = selection.typeCondition?.name.value;
        visit(selection.selectionSet, condition === undefined ? type : schema.getType(condition));
      } else if (!seen.has(selection.name.value)) {
        seen.add(selection.name.value);
        const fragment = operation.fragments.get(selection.name.value);
        if (fragment) visit(fragment.selectionSet, schema.getType(fragment.typeCondition.name.value));
      }
    }
  }
}
