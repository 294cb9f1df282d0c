import {
  type DocumentNode,
  type FieldNode,
  getArgumentValues,
  getNamedType,
  type GraphQLField,
  GraphQLID,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLString,
  isAbstractType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
  TypeNameMetaFieldDef,
} from 'graphql';
import { fragmentsOf } from '../operation.ts';
import type { ObjectPlan, Plan, PlannedField } from './plan.ts';

/** What has no plan; the standard executor runs it. */
class Unusual extends Error {}

/**
 * The plan of a document; `undefined` for several operations, mutations, variables of directives, interfaces, unions and what else is
 * unusual.
 */
export function compile(schema: GraphQLSchema, document: DocumentNode): Plan | undefined {
  const operations = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  const [operation] = operations;
  const type = schema.getQueryType();
  if (operations.length !== 1 || operation?.operation !== OperationTypeNode.QUERY || !type) return undefined;
  try {
    return new Compiler(schema, document, operation).plan(type);
  } catch (error) {
    if (error instanceof Unusual) return undefined;
    throw error;
  }
}

/** Fragments inside of fragments can make a short document large; a plan has each field wherever it is spread. */
const maxFields = 1000;

class Compiler {
  readonly #schema: GraphQLSchema;
  readonly #fragments: ReturnType<typeof fragmentsOf>;
  readonly #operation: OperationDefinitionNode;
  #size = 0;

  constructor(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode) {
    this.#schema = schema;
    this.#fragments = fragmentsOf(document);
    this.#operation = operation;
  }

  plan(type: GraphQLObjectType): Plan {
    if (this.#operation.directives?.length) throw new Unusual();
    const root = this.#object(type, [this.#operation.selectionSet]);
    const fragments = Object.fromEntries(this.#fragments);
    return { schema: this.#schema, operation: this.#operation, fragments, root, size: this.#size };
  }

  #object(type: GraphQLObjectType, sets: readonly SelectionSetNode[]): ObjectPlan {
    if (type.isTypeOf) throw new Unusual();
    const nodes = new Map<string, FieldNode[]>();
    const seen = new Set<string>();
    for (const set of sets) this.#collect(type, set, nodes, seen);
    return { type, fields: [...nodes].map(([key, same]) => this.#field(type, key, same)) };
  }

  /** GraphQL section 6.3.2, without directives and for fragments on the very type. */
  #collect(
    type: GraphQLObjectType,
    { selections }: SelectionSetNode,
    nodes: Map<string, FieldNode[]>,
    seen: Set<string>,
  ): void {
    for (const selection of selections) {
      if (selection.directives?.length) throw new Unusual();
      if (selection.kind === Kind.FIELD) {
        const key = selection.alias?.value ?? selection.name.value;
        // It would be the prototype of the result.
        if (key === '__proto__') throw new Unusual();
        const same = nodes.get(key);
        if (same) same.push(selection);
        else nodes.set(key, [selection]);
        continue;
      }
      const isSpread = selection.kind === Kind.FRAGMENT_SPREAD;
      if (isSpread && seen.has(selection.name.value)) continue;
      if (isSpread) seen.add(selection.name.value);
      const fragment = isSpread ? this.#fragments.get(selection.name.value) : selection;
      const on = fragment?.typeCondition?.name.value ?? type.name;
      if (!fragment || fragment.directives?.length || on !== type.name) throw new Unusual();
      this.#collect(type, fragment.selectionSet, nodes, seen);
    }
  }

  #field(parent: GraphQLObjectType, key: string, nodes: readonly FieldNode[]): PlannedField {
    this.#size += 1;
    if (this.#size > maxFields) throw new Unusual();
    const [node] = nodes;
    const name = node?.name.value ?? '';
    const definition = name === TypeNameMetaFieldDef.name ? TypeNameMetaFieldDef : parent.getFields()[name];
    if (!node || !definition) throw new Unusual();
    const named = getNamedType(definition.type);
    if (isAbstractType(named)) throw new Unusual();
    const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    return {
      key,
      node,
      nodes,
      parent,
      definition,
      constants: constantsOf(definition, node),
      isText: isText(definition.type),
      object: isObjectType(named) ? this.#object(named, sets) : undefined,
    };
  }
}

function isText(type: GraphQLOutputType): boolean {
  const inner = isNonNullType(type) ? type.ofType : type;
  return inner === GraphQLString || inner === GraphQLID;
}

/** Lists and objects are read for every request: a resolver may change them. */
function constantsOf(definition: GraphQLField<unknown, unknown>, node: FieldNode): PlannedField['constants'] {
  if (node.arguments?.some(({ value }) => value.kind === Kind.VARIABLE || !('value' in value))) return undefined;
  try {
    const values = getArgumentValues(definition, node);
    return Object.values(values).some((value) => typeof value === 'object' && value !== null) ? undefined : values;
  } catch {
    // Reported with the place of each run.
    return undefined;
  }
}
