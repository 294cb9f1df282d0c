import type { Scope } from '../core/scopes/scopes.ts';
import type {
  AcceptedTokens,
  TokenOf,
  AuthenticationRequirement,
  ClientAudience,
  PersonAudience,
} from '../core/clients/client.ts';
import type { MaybePromise, Member, Site } from '../host/school-platform.ts';

/** A JSON Schema of an object: draft 2020-12, or draft-07 if `$schema` says so. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A schema of zod, valibot, ArkType or another Standard Schema library. https://standardschema.dev */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => MaybePromise<StandardResult<Output>>;
    /** Converts the schema to JSON Schema. Some libraries do not have it. */
    readonly jsonSchema?:
      { readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown> } | undefined;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

/** The result of validating a value with a Standard Schema. */
export type StandardResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

/** A validation error and its place in the value. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The scopes that a tool requires. Specification: Anonymous and missing tokens; Scopes. */
export interface ToolScopes<A extends ClientAudience = PersonAudience>
  extends AcceptedTokens<A>, AuthenticationRequirement {
  /** The scopes that every call requires. If empty, any valid token is sufficient. */
  readonly scopes: readonly Scope[];
  /** Additional scopes for the actions of a tool with several actions. @default none */
  readonly actions?: ToolActions | undefined;
}

/** Additional scopes, by the value of one argument. */
export interface ToolActions {
  /** The argument that selects the action. Its value is read after validation, with the schema's defaults applied. */
  readonly argument: string;
  /** The additional scopes of each value, which may be empty. A call with any other value is refused. */
  readonly scopes: Readonly<Record<string, readonly Scope[]>>;
}

/** The access to a tool: anyone (`public`), or a token with these scopes. */
export type ToolAccess<A extends ClientAudience = PersonAudience> = 'public' | ToolScopes<A>;

/** Hints for clients. They have no effect on access. MCP: ToolAnnotations. */
export interface ToolAnnotations {
  /** The tool changes nothing. @default false */
  readonly readOnlyHint?: boolean | undefined;
  /** The tool may delete or overwrite data. @default true */
  readonly destructiveHint?: boolean | undefined;
  /** Repeating a call with the same arguments has no further effect. @default false */
  readonly idempotentHint?: boolean | undefined;
  /** The tool accesses systems outside this platform. @default true */
  readonly openWorldHint?: boolean | undefined;
}

/** The context of a tool call. */
export interface ToolCall<
  A extends ClientAudience = PersonAudience,
  School extends Site = Site,
  Person extends Member = Member,
> {
  /** The school of the request. */
  readonly site: School;
  /**
   * The verified token. It is `undefined` if a public tool is called without a token, or with a token of an audience that it does not
   * accept.
   */
  readonly token: TokenOf<A, School, Person> | undefined;
  /** Aborted if the caller disconnects or the call takes too long. */
  readonly signal: AbortSignal;
}

/** The context of a call of a tool that requires scopes, so it always has a token. */
export interface ScopedToolCall<
  A extends ClientAudience = PersonAudience,
  School extends Site = Site,
  Person extends Member = Member,
> extends ToolCall<A, School, Person> {
  /** The verified token. */
  readonly token: TokenOf<A, School, Person>;
}

/** A content block of a result. MCP: ContentBlock. */
export type ToolContent =
  | { readonly type: 'text'; readonly text: string }
  /** `data` is in Base64. */
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | {
      readonly type: 'resource_link';
      readonly uri: string;
      readonly name: string;
      readonly description?: string | undefined;
      readonly mimeType?: string | undefined;
    };

/** A result with more than a text. MCP: CallToolResult. */
export interface ToolOutput {
  /** Content for the model. @default `structuredContent` as JSON text */
  readonly content?: readonly ToolContent[] | undefined;
  /** A JSON object for apps. @default none */
  readonly structuredContent?: object | undefined;
  /**
   * The subject of the call, such as the name of a course. Operators and the person read it in the audit event and on _Activity_. It is not
   * sent to the caller, and only the first 200 characters are kept. @default nothing
   */
  readonly about?: string | undefined;
  /** Whether the call failed. The content tells the model why. @default false */
  readonly isError?: boolean | undefined;
}

/** The result of a tool: a text, or an output with structured content. */
export type ToolResult = string | ToolOutput;

/**
 * A tool of the tool endpoint `/mcp`. The tool list, the checks, the challenges and the documents are derived from this
 * declaration. Specification: Tool endpoint.
 */
export interface Tool<
  Args = Readonly<Record<string, unknown>>,
  A extends ClientAudience = PersonAudience,
  School extends Site = Site,
  Person extends Member = Member,
> {
  /** The unique name: 1 to 128 letters, digits, `_`, `-` or `.`. It must not start or end with `-` or `.`. */
  readonly name: string;
  /** The name for people. @default `name` */
  readonly title?: string | undefined;
  /** A description for the model: the purpose of the tool, and when to use it. */
  readonly description: string;
  /** The schema of the arguments, which are validated before the tool runs. @default any object, listed with no `properties` */
  readonly inputSchema?: JsonSchema | StandardSchema<Args> | undefined;
  /** The JSON Schema for clients. Required if the library of `inputSchema` cannot convert it to JSON Schema. */
  readonly inputJsonSchema?: JsonSchema | undefined;
  /**
   * The schema of `structuredContent`, an object whose `type` may be omitted. A result that does not match is a fault of the tool. @default
   * none
   */
  readonly outputSchema?: JsonSchema | undefined;
  /** The access to the tool. */
  readonly access: ToolAccess<A>;
  /** Hints for clients. @default none */
  readonly annotations?: ToolAnnotations | undefined;
  /**
   * Runs the tool. An error that it throws is masked and reported by the event `fault`. Only the message of an
   * `OAuthError` with a status below 500, such as `InvalidRequest`, is sent to the caller.
   */
  run(args: Args, call: ToolCall<A, School, Person>): MaybePromise<ToolResult>;
}

/** A tool that is called only with a token. */
export interface ScopedTool<
  Args = Readonly<Record<string, unknown>>,
  A extends ClientAudience = PersonAudience,
  School extends Site = Site,
  Person extends Member = Member,
> extends Tool<Args, A, School, Person> {
  readonly access: ToolScopes<A>;
  run(args: Args, call: ScopedToolCall<A, School, Person>): MaybePromise<ToolResult>;
}
