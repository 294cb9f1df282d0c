import {
  type DirectiveNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type ValueNode,
} from 'graphql';

/** A GraphQL request. GraphQL over HTTP: Request Parameters. */
export interface Parameters {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Variables;
}

/** The variables of a request before coercion. */
export type Variables = Readonly<Record<string, unknown>>;

/** One operation of a document, with its variables. */
export class Operation {
  readonly definition: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #variables: Variables;
  #readVariables = false;

  private constructor(
    definition: OperationDefinitionNode,
    fragments: ReadonlyMap<string, FragmentDefinitionNode>,
    variables: Variables,
  ) {
    this.definition = definition;
    this.fragments = fragments;
    this.#variables = variables;
  }

  /** The operation that a request selects; `undefined` if there is none or several. */
  static of(
    { definitions }: DocumentNode,
    { operationName: name, variables }: Pick<Parameters, 'operationName' | 'variables'>,
  ): Operation | undefined {
    const fragments = new Map<string, FragmentDefinitionNode>();
    const operations: OperationDefinitionNode[] = [];
    for (const node of definitions) {
      if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
      else if (node.kind === Kind.OPERATION_DEFINITION) operations.push(node);
    }
    const named = name === undefined ? operations : operations.filter((node) => node.name?.value === name);
    const [definition] = named;
    return named.length === 1 && definition ? new Operation(definition, fragments, variables) : undefined;
  }

  /** Whether a previous call of `valueOf` or `mayRun` read a variable. */
  get readVariables(): boolean {
    return this.#readVariables;
  }

  /**
   * The value of an argument before variables are coerced; `undefined` if the variable is absent. A list or object is
   * returned as `{}`.
   */
  valueOf(node: ValueNode): unknown {
    if (node.kind !== Kind.VARIABLE) return literal(node);
    this.#readVariables = true;
    const variable = node.name.value;
    if (Object.hasOwn(this.#variables, variable)) return this.#variables[variable];
    const definition = this.definition.variableDefinitions?.find((defined) => defined.variable.name.value === variable);
    return definition?.defaultValue && literal(definition.defaultValue);
  }

  /**
   * Whether a selection may be run, which is so unless `@skip` or `@include` excludes it. An invalid condition excludes
   * nothing; the executor will reject it.
   */
  mayRun(directives: readonly DirectiveNode[] | undefined): boolean {
    return !directives?.some((directive) => {
      const excludes = directive.name.value === 'skip' ? true : directive.name.value === 'include' ? false : undefined;
      const condition = directive.arguments?.find((argument) => argument.name.value === 'if');
      return excludes !== undefined && condition !== undefined && this.valueOf(condition.value) === excludes;
    });
  }
}

function literal(node: ValueNode): unknown {
  if (node.kind === Kind.NULL) return null;
  if (node.kind === Kind.INT || node.kind === Kind.FLOAT) return Number(node.value);
  return 'value' in node ? node.value : {};
}
