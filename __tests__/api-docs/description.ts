import { jsonResponse } from '../helpers/flow.ts';

/** A schema, as far as tests look into it. */
export interface Schema {
  readonly properties?: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
}

/** Examples of a body, by name. */
export interface Content {
  readonly schema: object;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

/** A header, or a reference to one. */
export interface Header {
  readonly $ref?: string;
  readonly required?: boolean;
  readonly schema?: object;
}

/** The answers of an operation with one status. */
export interface Described {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Readonly<Record<string, Content>>;
}

/** An operation, as far as tests look into it. */
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly security: readonly object[];
  readonly parameters?: readonly { readonly name: string; readonly example?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly description?: string;
  readonly responses: Readonly<Record<string, Described>>;
  readonly 'x-tools'?: readonly object[];
}

/** An API description, as far as tests look into it. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly securitySchemes: {
      readonly oauth: { readonly flows: { readonly authorizationCode: { readonly scopes: object } } };
    };
  };
}

/** Reads `/openapi.json`. */
export async function readDescription(origin: string, headers: Record<string, string> = {}): Promise<Description> {
  const answer = await fetch(`${origin}/openapi.json`, { headers });
  if (answer.status !== 200) throw new Error(JSON.stringify((await jsonResponse(answer)).body));
  const text = await answer.text();
  const description: Description = JSON.parse(text);
  return description;
}

/** An operation with its place. */
export interface DescribedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

/** All operations of a description. */
export function describedOperations({ paths }: Description): DescribedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
}
