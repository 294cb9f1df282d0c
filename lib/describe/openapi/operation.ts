import { type ResponseVariant, responsesOf } from './responses.ts';
import { type Example, examplesOf } from './parts.ts';

interface OperationParts {
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly text: string;
  readonly parameters?: readonly object[] | undefined;
  /** The request body; `text` describes what the schema cannot express. */
  readonly body?: { readonly type: string; readonly schema: object; readonly text?: string } | undefined;
  readonly responses: readonly ResponseVariant[];
  readonly examples?: readonly Example[] | undefined;
  /** Scopes of the token; `optional` if the token may be omitted. Absent for an operation without a token. */
  readonly security?: { readonly scopes: readonly string[]; readonly optional?: boolean } | undefined;
}

export function operation(parts: OperationParts): object {
  const { id, tag, summary, text, parameters, body, responses, examples = [], security } = parts;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: text,
    parameters,
    security: security ? [{ oauth: security.scopes }, ...(security.optional === true ? [{}] : [])] : [],
    requestBody: body && requestBody(body, examples),
    responses: responsesOf(responses, examples),
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
