import {
  type GraphQLCompositeType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import type { FieldScopes } from './guarded-fields.ts';
import type { Operation } from '../execution/operation.ts';

/**
 * Every scope that an operation requires, including fragments and aliases. Each fragment is visited once, since its fields
 * are those of its own type wherever it is spread.
 */
export function requiredScopes(schema: GraphQLSchema, scopesOf: FieldScopes, operation: Operation): Set<string> {
  const required = new Set<string>();
  const seen = new Set<string>();
  const root = schema.getRootType(operation.definition.operation);
  if (root) visit(operation.definition.selectionSet, root);
  return required;

  function visit({ selections }: SelectionSetNode, parent: GraphQLCompositeType): void {
    for (const selection of selections) {
      if (!operation.mayRun(selection.directives)) continue;
      if (selection.kind === Kind.FIELD) {
        const field = selection.name.value;
        for (const scope of scopesOf(parent, field)) required.add(scope);
        if (selection.selectionSet) visitComposite(selection.selectionSet, typeOfField(parent, field));
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        const condition = selection.typeCondition?.name.value;
        visitComposite(selection.selectionSet, condition === undefined ? parent : schema.getType(condition));
      } else if (!seen.has(selection.name.value)) {
        seen.add(selection.name.value);
        const fragment = operation.fragments.get(selection.name.value);
        if (fragment) visitComposite(fragment.selectionSet, schema.getType(fragment.typeCondition.name.value));
      }
    }
  }

  function visitComposite(selectionSet: SelectionSetNode, type: unknown): void {
    if (isCompositeType(type)) visit(selectionSet, type);
  }
}

/** `undefined` for introspection fields, which require no scopes. */
function typeOfField(parent: GraphQLCompositeType, field: string): unknown {
  const type = 'getFields' in parent ? parent.getFields()[field]?.type : undefined;
  return type && getNamedType(type);
}
