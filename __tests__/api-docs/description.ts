import { jsonResponse } from '../helpers/flow.ts';

interface Schema {
  readonly properties?: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
}

/** A media type object. */
export interface Content {
  readonly schema: { readonly $ref?: string };
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

/** A header object or a reference to one. */
export interface Header {
  readonly $ref?: string;
  readonly required?: boolean;
  readonly schema?: object;
}

/** A response object. */
export interface DescribedResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Readonly<Record<string, Content>>;
}

/** A parameter of a query. */
interface Parameter {
  readonly name: string;
  readonly example?: string;
  readonly schema: { readonly maxLength?: number };
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly security: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly description?: string;
  readonly responses: Readonly<Record<string, DescribedResponse>>;
  readonly 'x-tools'?: readonly object[];
}

/** The parts of an OpenAPI document that the tests read. */
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

export async function readDescription(origin: string, headers: Record<string, string> = {}): Promise<Description> {
  const response = await fetch(`${origin}/openapi.json`, { headers });
  if (response.status !== 200) throw new Error(JSON.stringify((await jsonResponse(response)).body));
  const text = await response.text();
  const description: Description = JSON.parse(text);
  return description;
}

interface DescribedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

export function describedOperations({ paths }: Description): DescribedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
}
