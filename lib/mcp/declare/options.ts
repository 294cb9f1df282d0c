import * as z from 'zod';
import type { ClientAudience } from '../../core/clients/client.ts';
import type { Member, Site } from '../../host/school-platform.ts';
import type { Tool } from '../../plugin-contract/tools.ts';
import type { AnyTool } from './tool-schemas.ts';
import {
  flag,
  group,
  list,
  type Shape,
  pathOrFalse,
  pathsOverlap,
  refuse,
  seconds,
  shown,
} from '../../kernel/option-schemas.ts';
import { paths } from '../../http/paths.ts';

/** Options of the tool endpoint `/mcp`. */
export interface McpOptions<School extends Site = Site, Person extends Member = Member> {
  /** Built-in tools (`builtInTools`) and your own (`defineTool`). @default [] */
  readonly tools?: readonly Tool<unknown, ClientAudience, School, Person>[] | undefined;
  /**
   * Origins whose scripts may call the endpoint, for example `http://localhost:6274` for MCP Inspector in a browser. The school's own
   * origin is always allowed. Apps outside a browser do not send an origin. @default []
   */
  readonly origins?: readonly string[] | undefined;
  /**
   * Whether `/mcp` serves requests without a token. If not, they get 401 with a challenge, as at the other two addresses.
   * @default true
   */
  readonly anonymous?: boolean | undefined;
  /**
   * The path of the tools for operators' clients. Every request needs a token, so that clients sign in immediately. `false` turns it off.
   * @default '/mcp/operator'
   */
  readonly operatorPath?: string | false | undefined;
  /** The path of the tools for members' clients, with the same rules. @default '/mcp/member' */
  readonly memberPath?: string | false | undefined;
  /** Time after which a tool call is cancelled, in seconds, at most 3600. @default 30 */
  readonly toolTimeout?: number | undefined;
}

const signInPath = pathOrFalse((path) =>
  Object.values(paths).find((other) => !other.startsWith(paths.mcp) && pathsOverlap(path, other)),
);

const origin = z
  .custom<string>(isOrigin, {
    error: ({ input }) => `be an origin without a path, for example "https://app.example", not ${shown(input)}`,
  })
  .meta({ type: 'origin' });

/** @internal */
export const mcpSchema = group({
  tools: list(z.custom<AnyTool>(), 'be an array of tools').prefault([]).meta({ type: 'array of `Tool`' }),
  origins: list(origin, 'be an array of origins').prefault([]),
  anonymous: flag.default(true),
  operatorPath: signInPath.prefault(paths.mcpOperator),
  memberPath: signInPath.prefault(paths.mcpMember),
  toolTimeout: seconds(3600).default(30),
} satisfies Shape<McpOptions>)
  .check((payload) => {
    const { operatorPath, memberPath } = payload.value;
    for (const [option, path, other] of [
      ['operatorPath', operatorPath, paths.mcp],
      ['memberPath', memberPath, paths.mcp],
      ['memberPath', memberPath, operatorPath],
    ] as const) {
      if (path === undefined || path !== other) continue;
      refuse(payload, [option], `differ from ${other}, another address of the tools`);
    }
  })
  .prefault({});

/** @internal */
export type McpSettings = z.infer<typeof mcpSchema>;

/** `URL.origin` is "null" for the address of a browser extension, whose origin browsers do send. */
function isOrigin(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const url = URL.parse(value);
  return url !== null && value === `${url.protocol}//${url.host}` && url.host !== '';
}
