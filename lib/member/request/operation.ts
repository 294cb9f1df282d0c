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
  /** Before coercion. */
  readonly variables: GivenVariables;
}

type GivenVariables = Readonly<Record<string, unknown>>;

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

export function fragmentsOf({ definitions }: DocumentNode): Fragments {
  return new Map(
    definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [])),
  );
}

/** One operation of a document, with its variables. */
export class Operation {
  readonly definition: OperationDefinitionNode;
  readonly fragments: Fragments;
  /** Whether a previous call of `valueOf` or `mayRun` read a variable. */
  readVariables = false;
  readonly #variables: GivenVariables;

  private constructor(definition: OperationDefinitionNode, fragments: Fragments, variables: GivenVariables) {
    this.definition = definition;
    this.fragments = fragments;
    this.#variables = variables;
  }

  /** The operation that a request selects; `undefined` if there is none or several. */
  static of(document: DocumentNode, { operationName, variables }: Parameters): Operation | undefined {
    const operations = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
    const named = operations.filter(({ name }) => operationName === undefined || name?.value === operationName);
    const [definition] = named;
    return named.length === 1 && definition ? new Operation(definition, fragmentsOf(document), variables) : undefined;
  }

  /**
   * The value of an argument before variables are coerced; `undefined` if the variable is absent. A list or object is
   * returned as `{}`.
   */
  valueOf(node: ValueNode): unknown {
    if (node.kind !== Kind.VARIABLE) return literal(node);
    this.readVariables = true;
    const variable = node.name.value;
    if (Object.hasOwn(this.#variables, variable)) return this.#variables[variable];
    const definition = this.definition.variableDefinitions?.find((defined) => defined.variable.name.value === variable);
    return definition?.defaultValue && literal(definition.defaultValue);
  }

  /** Whether `@skip` and `@include` let a selection run. An invalid condition does; the executor will reject it. */
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
