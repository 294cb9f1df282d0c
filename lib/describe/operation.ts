import type { RequestParameter } from '../kernel/request-parameter.ts';
import type { ErrorName, StatusCode } from './error-codes.ts';
import type { HeaderName } from './response-headers.ts';
import type { Example, RequestBody } from './schema-parts.ts';
import type { RouteMethod } from '../http/route.ts';

/** What the API description says of one method of a route. The path, the method and the errors of every route follow from the route. */
export interface Operation {
  readonly id: string;
  readonly tag: 'Discovery' | 'OAuth' | 'Member API' | 'Tools';
  readonly summary: string;
  /** In Markdown. */
  readonly text: string;
  /** In the query. */
  readonly parameters?: readonly QueryParameter[];
  readonly body?: RequestBody;
  /** Scopes of the token; `optional` if the token may be omitted. Absent for an operation without a token. */
  readonly security?: { readonly scopes: readonly string[]; readonly optional?: boolean };
  readonly responses: readonly ResponseVariant[];
  /** The errors that it sends, beside those of every route. */
  readonly errors?: readonly ErrorReference[];
  readonly examples?: readonly Example[];
  /** Members that OpenAPI does not define. */
  readonly extensions?: Readonly<Record<`x-${string}`, unknown>>;
}

/** By path and method. */
export type Operations = Readonly<Record<string, Readonly<Partial<Record<RouteMethod, Operation>>>>>;

interface QueryParameter extends RequestParameter {
  readonly example?: string | undefined;
}

/** A response of an operation. Several may have the same status. */
export interface ResponseVariant {
  readonly error?: string;
  readonly headerWhen?: string;
  readonly status: number;
  /** When it is returned, in Markdown. */
  readonly text: string;
  /** Schemas of the body by media type. */
  readonly content?: Readonly<Record<string, object>> | undefined;
  readonly header?: HeaderName | undefined;
}

/** An error code, with its status if it has several. */
export type ErrorReference = ErrorName | readonly [ErrorName, number] | StatusCode;
