import type { Scope } from '../protocol/scopes.ts';
import type { Access } from './access.ts';
import type { MaybePromise, Site } from './member.ts';

/** A JSON Schema of an object: draft 2020-12, or draft-07 where `$schema` says so. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What is needed of Standard Schema, which zod, valibot, ArkType and others speak. https://standardschema.dev */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => MaybePromise<StandardResult<Output>>;
    /** How it writes itself as JSON Schema; some libraries leave this out. */
    readonly jsonSchema?:
      { readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown> } | undefined;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

/** What a Standard Schema says of a value. */
export type StandardResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

/** What is wrong with a value, and where. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The scopes that a tool needs. Specification: Anonymous and missing tokens; Scopes. */
export interface ToolScopes {
  /** What every call needs, all of them. Empty: any token will do. */
  readonly scopes: readonly Scope[];
  /** For a tool that does several things: what a call needs on top, by what it is to do. @default nothing */
  readonly actions?: ToolActions | undefined;
}

/** What a call needs on top, by the value of one argument. */
export interface ToolActions {
  /** The argument that says what to do. Its value counts as the schema has left it, defaults filled in. */
  readonly argument: string;
  /** The scopes of each value, which may be none. A call with any other value is refused. */
  readonly scopes: Readonly<Record<string, readonly Scope[]>>;
}

/** Who may call a tool: anybody, or a token with these scopes. */
export type ToolAccess = 'public' | ToolScopes;

/** Hints for clients; they grant nothing. MCP, ToolAnnotations. */
export interface ToolAnnotations {
  /** It changes nothing. @default false */
  readonly readOnlyHint?: boolean | undefined;
  /** It may delete or overwrite. @default true */
  readonly destructiveHint?: boolean | undefined;
  /** Calling it again with the same arguments changes nothing more. @default false */
  readonly idempotentHint?: boolean | undefined;
  /** It reaches beyond this platform. @default true */
  readonly openWorldHint?: boolean | undefined;
}

/** Circumstances of a call. */
export interface ToolCall {
  readonly site: Site;
  /** Who calls; absent for an anonymous call, which reaches public tools only. */
  readonly access: Access | undefined;
  /** Aborted when nobody waits any more: the caller has gone, or the call took too long. */
  readonly signal: AbortSignal;
}

/** A piece of an answer. */
export type ToolContent =
  | { readonly type: 'text'; readonly text: string }
  /** `data` is Base64. */
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | {
      readonly type: 'resource_link';
      readonly uri: string;
      readonly name: string;
      readonly description?: string | undefined;
      readonly mimeType?: string | undefined;
    };

/** An answer with more to it than a text. */
export interface ToolOutput {
  /** For the model to read. @default `structuredContent` as JSON */
  readonly content?: readonly ToolContent[] | undefined;
  /** A JSON object, for programs. */
  readonly structuredContent?: object | undefined;
  /** It did not work, and the content says why, so that the model can do better. @default false */
  readonly isError?: boolean | undefined;
}

/** What a tool answers. */
export type ToolResult = string | ToolOutput;

/**
 * A tool of the tool endpoint `/mcp`. This one declaration is what is listed, what is enforced, what a challenge names
 * and what the documents describe. Specification: Tool endpoint.
 */
export interface Tool<Args = Readonly<Record<string, unknown>>> {
  /** 1 to 128 letters, digits, `_`, `-` and `.`, the last two not at its ends; no two tools share it. */
  readonly name: string;
  /** For people. @default the name */
  readonly title?: string | undefined;
  /** What it does and when to use it, for the model. */
  readonly description: string;
  /** The arguments, checked before the tool runs. @default any members of an object, unchecked */
  readonly inputSchema?: JsonSchema | StandardSchema<Args> | undefined;
  /** `inputSchema` as clients see it; only for a Standard Schema that cannot write itself as JSON Schema. */
  readonly inputJsonSchema?: JsonSchema | undefined;
  /** What `structuredContent` looks like; an answer that is otherwise is a fault of the tool. */
  readonly outputSchema?: JsonSchema | undefined;
  readonly access: ToolAccess;
  readonly annotations?: ToolAnnotations | undefined;
  /**
   * Does it. What it throws is masked, and told by the event `fault`; the message of an `InvalidRequest`, or of another
   * `OAuthError` with a status below 500, is the caller's to read.
   */
  run(args: Args, call: ToolCall): MaybePromise<ToolResult>;
}
