import {
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import type { Operation } from '../request/operation.ts';
import { isPageSize, pageArgument, pageCap, pageSizeProblem } from '../schema/page.ts';
import { overLimit } from './rules.ts';

type Field = GraphQLField<unknown, unknown>;

/**
 * Checks the number of nodes that the pages of an operation can have in total: `first`, multiplied along nested pages. A
 * fragment counts each time it is spread.
 *
 * @throws GraphQLError `LIMIT_EXCEEDED`, or `BAD_USER_INPUT` for an invalid page size
 */
export function checkNodes(schema: GraphQLSchema, operation: Operation, max: number): undefined {
  const known = new Map<string, number>();
  const total = inside(operation.definition.selectionSet, schema.getRootType(operation.definition.operation));
  if (total > max) throw overLimit(`requests up to ${total} nodes`, 'nodes', max);
  return undefined;

  function inside(selectionSet: SelectionSetNode | undefined, type: unknown): number {
    if (!selectionSet || !isCompositeType(type)) return 0;
    let nodes = 0;
    for (const selection of selectionSet.selections) {
      if (!operation.mayRun(selection.directives)) continue;
      if (selection.kind === Kind.FIELD) nodes += ofField(selection, type);
      else if (selection.kind === Kind.FRAGMENT_SPREAD) nodes += ofFragment(selection.name.value);
      else {
        const condition = selection.typeCondition?.name.value;
        nodes += inside(selection.selectionSet, condition === undefined ? type : schema.getType(condition));
      }
    }
    return Math.min(nodes, Number.MAX_SAFE_INTEGER);
  }

  function ofField(node: FieldNode, parent: GraphQLCompositeType): number {
    const fields = fieldsNamed(node.name.value, parent);
    const below = inside(node.selectionSet, getNamedType(fields[0]?.type));
    const size = pageSize(operation, node, fields);
    return size === undefined ? below : size * (1 + below);
  }

  /** The field of the type and of every type that implements it, since the value can have any of them. */
  function fieldsNamed(name: string, parent: GraphQLCompositeType): Field[] {
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
}

/** `undefined` if the field does not return pages. */
function pageSize(operation: Operation, node: FieldNode, fields: readonly Field[]): number | undefined {
  const declared = fields.flatMap(({ args }) => args.filter(({ name }) => name === pageArgument));
  if (declared.length === 0) return undefined;
  const given = node.arguments?.find(({ name }) => name.value === pageArgument);
  const asked = given && operation.valueOf(given.value);
  if (asked !== undefined && !isPageSize(asked)) throw pageSizeProblem(asked, given);
  const defaults = declared.map(({ astNode }) => astNode?.defaultValue);
  return asked ?? Math.max(...defaults.map((value) => (value?.kind === Kind.INT ? Number(value.value) : pageCap)));
}
