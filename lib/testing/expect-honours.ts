import type { Campus } from '../public/campus.ts';
import { issueTokens, type TokenRequest } from './issue-tokens.ts';
import type { Only } from '../core/boundaries/boundary.ts';

/** Options of `expectHonours`: the member and client, the limit, and the data that it must hide. */
export interface HonouredLimit extends Omit<TokenRequest, 'only'> {
  /** The type of boundary. */
  readonly type: string;
  /** The id of an item that the member has. */
  readonly item: string;
  /** A text that only another item contains, such as its id. The member has that item too. */
  readonly hidden: string;
  /** Calls your tool, route or field with an access token. A `Response` is read as text. */
  readonly call: (accessToken: string) => Promise<unknown>;
}

/**
 * Calls a tool, a route or a field twice: with an unlimited token, and with a token that is limited to an item. It proves that code with
 * `honours` returns only data of that item. The client stays connected, with the limit.
 *
 * @throws Error if `hidden` is in the second result, if the second call is refused, or if `hidden` is missing in the first result
 */
export async function expectHonours(
  campus: Campus,
  { type, item, hidden, call, ...request }: HonouredLimit,
): Promise<void> {
  const resultFor = async (only: Only): Promise<string> => {
    const { access_token: token } = await issueTokens(campus, { ...request, only });
    return textOf(await call(token));
  };
  const all = await resultFor({});
  if (!all.includes(hidden))
    throw new Error(`hidden must be in the result without a limit, but ${brief(hidden)} is not: ${brief(all)}`);
  const limited = await resultFor({ [type]: [item] });
  if (limited.includes(hidden))
    throw new Error(
      `${brief(hidden)} is in the result for a client that is limited to ${type} ${brief(item)}: filter by token.limitTo(${brief(type)}): ${brief(limited)}`,
    );
}

async function textOf(result: unknown): Promise<string> {
  if (!isResponse(result)) return typeof result === 'string' ? result : (JSON.stringify(result) ?? '');
  const text = await result.text();
  if (result.ok) return text;
  throw new Error(
    `the call was refused with ${result.status}: ${brief(text)}; a limited token needs honours where it is used`,
  );
}

/** The class is not asked for: Hono, for example, replaces the global one, and `fetch` goes on with its own. */
function isResponse(result: unknown): result is Response {
  return (
    typeof result === 'object' &&
    result !== null &&
    'ok' in result &&
    'text' in result &&
    typeof result.text === 'function'
  );
}

function brief(text: string): string {
  return JSON.stringify(text.length > 300 ? `${text.slice(0, 300)}…` : text);
}
