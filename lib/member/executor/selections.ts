import {
  type FieldNode,
  type FragmentDefinitionNode,
  getArgumentValues,
  getDirectiveValues,
  type GraphQLDirective,
  type GraphQLField,
  GraphQLID,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  GraphQLSkipDirective,
  GraphQLString,
  isAbstractType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'graphql';

/** An operation, and what is selected in it. */
export interface Plan {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  readonly root: Selected;
  /** Called with the number of fields that the plan has grown by. */
  readonly grew: (fields: number) => void;
}

/** Nodes that are merged, and their fields by the type of the value, collected for the first value of a type. */
export interface Selected {
  readonly nodes: readonly (FieldNode | OperationDefinitionNode)[];
  readonly fields: Map<GraphQLObjectType, readonly Field[]>;
}

type FieldNodes = readonly [FieldNode, ...FieldNode[]];

type FieldDefinition = GraphQLField<unknown, unknown>;

type Constants = Readonly<Record<string, unknown>> | undefined;

export interface Field extends Selected {
  /** The name or alias. */
  readonly key: string;
  readonly nodes: FieldNodes;
  readonly parent: GraphQLObjectType;
  readonly definition: FieldDefinition;
  /** The values of the arguments, if no request can change them. */
  readonly constants: Constants;
  /** Whether the type is `String` or `ID`, also with `!`: text is its own result. */
  readonly isText: boolean;
}

export type Variables = GraphQLResolveInfo['variableValues'];

/**
 * What is selected of an object, in the order of the response. GraphQL section 6.3.2.
 *
 * @throws GraphQLError if the condition of a directive is `null`
 */
export function fieldsOf(
  { plan, variables }: { readonly plan: Plan; readonly variables: Variables },
  selected: Selected,
  type: GraphQLObjectType,
): readonly Field[] {
  const known = selected.fields.get(type);
  if (known) return known;
  const grouped = nodesByKey(plan, variables, selected, type);
  const fields = [...grouped].flatMap(([key, nodes]) => fieldOf(plan.schema, type, key, nodes) ?? []);
  selected.fields.set(type, fields);
  plan.grew(fields.length);
  return fields;
}

function nodesByKey({ schema, fragments }: Plan, variables: Variables, selected: Selected, type: GraphQLObjectType) {
  const grouped = new Map<string, [FieldNode, ...FieldNode[]]>();
  const visited = new Set<object>();
  for (const { selectionSet } of selected.nodes) if (selectionSet) collect(selectionSet);
  return grouped;

  function collect({ selections }: SelectionSetNode): void {
    for (const selection of selections) {
      if (!isIncluded(selection, variables)) continue;
      if (selection.kind === Kind.FIELD) {
        const key = selection.alias?.value ?? selection.name.value;
        const same = grouped.get(key);
        if (same) same.push(selection);
        else grouped.set(key, [selection]);
        continue;
      }
      const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments[selection.name.value] : selection;
      if (!fragment || visited.has(fragment)) continue;
      visited.add(fragment);
      const on = fragment.typeCondition ? schema.getType(fragment.typeCondition.name.value) : type;
      if (on === type || (isAbstractType(on) && schema.isSubType(on, type))) collect(fragment.selectionSet);
    }
  }
}

function isIncluded(selection: SelectionNode, variables: Variables): boolean {
  if (!selection.directives?.length) return true;
  const condition = (directive: GraphQLDirective): unknown =>
    getDirectiveValues(directive, selection, variables)?.['if'];
  return condition(GraphQLSkipDirective) !== true && condition(GraphQLIncludeDirective) !== false;
}

function fieldOf(schema: GraphQLSchema, parent: GraphQLObjectType, key: string, nodes: FieldNodes): Field | undefined {
  const definition = definitionOf(schema, parent, nodes[0].name.value);
  if (!definition) return undefined;
  const inner = isNonNullType(definition.type) ? definition.type.ofType : definition.type;
  const constants = constantsOf(definition, nodes[0]);
  const isText = inner === GraphQLString || inner === GraphQLID;
  return { key, nodes, parent, definition, constants, isText, fields: new Map() };
}

function definitionOf(schema: GraphQLSchema, parent: GraphQLObjectType, name: string): FieldDefinition | undefined {
  const own = parent.getFields()[name];
  if (own) return own;
  const meta = parent === schema.getQueryType() ? [SchemaMetaFieldDef, TypeMetaFieldDef] : [];
  return [TypeNameMetaFieldDef, ...meta].find((field) => field.name === name);
}

/** Lists and objects are read for every request: a resolver may change them. */
function constantsOf(definition: FieldDefinition, node: FieldNode): Constants {
  if (node.arguments?.some(({ value }) => value.kind === Kind.VARIABLE || !('value' in value))) return undefined;
  try {
    const values = getArgumentValues(definition, node);
    return Object.values(values).some((value) => typeof value === 'object' && value !== null) ? undefined : values;
  } catch {
    // Reported with the place of each run.
    return undefined;
  }
}
