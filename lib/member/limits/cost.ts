import {
  type FieldNode,
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { isPageSize, pageArgument, pageCap, pageSizeProblem } from '../schema/page.ts';
import { overLimit } from './rules.ts';
import type { Operation } from '../execution/operation.ts';

/**
 * Checks that the pages of an operation cannot have more than `most` nodes in total.
 *
 * @throws GraphQLError `LIMIT_EXCEEDED`, or `BAD_USER_INPUT` for an invalid page size
 */
export function checkNodes(schema: GraphQLSchema, operation: Operation, most: number): void {
  const nodes = nodesOf(schema, operation);
  if (nodes > most) throw overLimit(`requests up to ${nodes} nodes`, 'nodes', most);
}

/**
 * The number of nodes that the pages of an operation can have in total: `first`, multiplied along nested pages. A fragment
 * counts each time it is spread.
 *
 * @throws GraphQLError `BAD_USER_INPUT` for an invalid page size
 */
function nodesOf(schema: GraphQLSchema, operation: Operation): number {
  const known = new Map<string, number>();
  const root = schema.getRootType(operation.definition.operation);
  return root ? inside(operation.definition.selectionSet, root) : 0;

  function inside(selectionSet: SelectionSetNode | undefined, type: unknown): number {
    if (!selectionSet || !isCompositeType(type)) return 0;
    let nodes = 0;
    for (const selection of selectionSet.selections) {
      if (!operation.mayRun(selection.directives)) continue;
      if (selection.kind === Kind.FIELD) nodes += ofField(selection, type);
      else if (selection.kind === Kind.FRAGMENT_SPREAD) nodes += ofFragment(selection.name.value);
      else nodes += inside(selection.selectionSet, conditionOf(selection.typeCondition?.name.value, type));
    }
    return Math.min(nodes, Number.MAX_SAFE_INTEGER);
  }

  function ofField(node: FieldNode, parent: GraphQLCompositeType): number {
    const fields = fieldsNamed(node.name.value, parent);
    const [field] = fields;
    if (!field) return 0;
    const below = inside(node.selectionSet, getNamedType(field.type));
    const size = pageSize(node, fields);
    return size === undefined ? below : size * (1 + below);
  }

  /** The field of the type and of every type that implements it, since the value can have any of them. */
  function fieldsNamed(name: string, parent: GraphQLCompositeType): GraphQLField<unknown, unknown>[] {
    const types = isAbstractType(parent) ? [parent, ...schema.getPossibleTypes(parent)] : [parent];
    return types.flatMap((type) => ('getFields' in type ? (type.getFields()[name] ?? []) : []));
  }

  function ofFragment(name: string): number {
    const nodes = known.get(name);
    if (nodes !== undefined) return nodes;
    known.set(name, 0);
    const fragment = operation.fragments.get(name);
    const found = fragment ? inside(fragment.selectionSet, schema.getType(fragment.typeCondition.name.value)) : 0;
    known.set(name, found);
    return found;
  }

  function conditionOf(name: string | undefined, parent: GraphQLCompositeType): unknown {
    return name === undefined ? parent : schema.getType(name);
  }

  /** `undefined` if the field does not return pages. */
  function pageSize(node: FieldNode, fields: readonly GraphQLField<unknown, unknown>[]): number | undefined {
    const declared = fields.flatMap(({ args }) => args.filter(({ name }) => name === pageArgument));
    if (declared.length === 0) return undefined;
    const given = node.arguments?.find(({ name }) => name.value === pageArgument);
    const asked = given && operation.valueOf(given.value);
    if (asked === undefined) return Math.max(...declared.map(sizeWithout));
    if (!isPageSize(asked)) throw pageSizeProblem(asked, given);
    return asked;
  }
}

/** The default page size according to the SDL. */
function sizeWithout({ astNode }: GraphQLArgument): number {
  const value = astNode?.defaultValue;
  return value?.kind === Kind.INT ? Number(value.value) : pageCap;
}
