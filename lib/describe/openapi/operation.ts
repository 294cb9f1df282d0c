import { type ResponseVariant, responsesOf } from './responses.ts';
import { type Example, examplesOf } from './parts.ts';

/** What an operation is made from. */
export interface OperationParts {
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly text: string;
  readonly parameters?: readonly object[] | undefined;
  /** The body of the request; `text` says what its schema cannot. */
  readonly body?: { readonly type: string; readonly schema: object; readonly text?: string } | undefined;
  readonly answers: readonly ResponseVariant[];
  readonly examples?: readonly Example[] | undefined;
  /** Scopes of the token; `optional` where it may be left out; absent where none is wanted. */
  readonly security?: { readonly scopes: readonly string[]; readonly optional?: boolean } | undefined;
}

/** An operation of OpenAPI. */
export function operation(parts: OperationParts): object {
  const { id, tag, summary, text, parameters, body, answers, examples = [], security } = parts;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: text,
    parameters,
    security: security ? [{ oauth: security.scopes }, ...(security.optional === true ? [{}] : [])] : [],
    requestBody: body && requestBody(body, examples),
    responses: responsesOf(answers, examples),
  };
}

function requestBody(
  { type, schema, text }: NonNullable<OperationParts['body']>,
  examples: readonly Example[],
): object {
  const shown = examples.filter(({ request }) => request);
  return {
    description: text,
    required: true,
    content: { [type]: { schema, examples: examplesOf(shown, ({ request }) => request) } },
  };
}
