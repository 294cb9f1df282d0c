import { type GraphQLSchema, getNamedType, isCompositeType, Kind, type SelectionSetNode } from 'graphql';
import type { Operation } from '../request/operation.ts';
import type { FieldScopes } from './guarded-fields.ts';

/** The scopes that an operation requires. A fragment is visited once, since its type does not depend on the spread. */
export function requiredScopes(schema: GraphQLSchema, scopesOf: FieldScopes, operation: Operation): Set<string> {
  const required = new Set<string>();
  const seen = new Set<string>();
  visit(operation.definition.selectionSet, schema.getRootType(operation.definition.operation));
  return required;

  function visit(selectionSet: SelectionSetNode | undefined, type: unknown): void {
    if (!selectionSet || !isCompositeType(type)) return;
    for (const selection of selectionSet.selections) {
      if (!operation.mayRun(selection.directives)) continue;
      if (selection.kind === Kind.FIELD) {
        const field = selection.name.value;
        for (const scope of scopesOf(type, field)) required.add(scope);
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
