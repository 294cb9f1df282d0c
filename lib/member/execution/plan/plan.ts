import type {
  FieldNode,
  FragmentDefinitionNode,
  GraphQLField,
  GraphQLObjectType,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql';

/** What an operation runs, computed once: which fields of which types, under which names. */
export interface Plan {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  readonly root: ObjectPlan;
  /** How many fields there are. A fragment counts wherever it is spread. */
  readonly size: number;
}

export interface ObjectPlan {
  readonly type: GraphQLObjectType;
  readonly fields: readonly PlannedField[];
}

export interface PlannedField {
  /** The name or alias. */
  readonly key: string;
  readonly node: FieldNode;
  /** All that are merged under the same key. */
  readonly nodes: readonly FieldNode[];
  readonly parent: GraphQLObjectType;
  readonly definition: GraphQLField<unknown, unknown>;
  /** The values of the arguments, if no request can change them. */
  readonly constants: Readonly<Record<string, unknown>> | undefined;
  /** Whether the type is `String` or `ID`, also with `!`: text is its own result. */
  readonly isText: boolean;
  /** Of a field whose type is an object, or a list of objects. */
  readonly object: ObjectPlan | undefined;
}
