import type { Context } from 'koa';
import type { Access, VerifyAccess } from './access.ts';
import type { OnFault } from './fault.ts';
import type { Route } from './route.ts';
import type { JsonSchema, ToolAccess } from './tools.ts';

/** What `createCampus` gives a plug-in. */
export interface PluginServices {
  readonly verify: VerifyAccess;
  readonly quotas: PluginQuotas;
  readonly onFault: OnFault;
}

/** Count one request, or throw `OAuthError` `slow_down` (status 429). */
export interface PluginQuotas {
  /** A request without a token. */
  readonly anonymous: (ctx: Context, siteId: string) => Promise<void>;
  /** A request with one. */
  readonly token: (siteId: string, access: Access) => Promise<void>;
}

/** What a plug-in adds to a campus. */
export interface PluginParts<Description> {
  readonly routes: readonly Route[];
  /** Paths that take an access token; each gets protected-resource metadata of its own. RFC 9728 section 3.1. */
  readonly protectedPaths: readonly string[];
  /** What `/openapi.json` and `/auth.md` say about it. */
  readonly description: Description;
}

/** A part of the service that the host hands to `createCampus`. */
export interface Plugin<Description> {
  /** @throws TypeError when its options do not fit together */
  mount(services: PluginServices): PluginParts<Description>;
}

/** What `memberApi` of `campus-oidc/member-api` returns. */
export type MemberApiPlugin = Plugin<MemberApiDescription>;

/** What `mcp` of `campus-oidc/mcp` returns. */
export type McpPlugin = Plugin<McpDescription>;

/** The Member API as the documents describe it. */
export interface MemberApiDescription {
  /** Whether the schema can be read. */
  readonly schema: boolean;
  /** Whether the host serves more than who the viewer is. */
  readonly data: boolean;
  /** Whether there is a page for trying queries. */
  readonly graphiql: boolean;
}

/** The tool endpoint as the documents describe it. */
export interface McpDescription {
  readonly tools: readonly ToolDescription[];
}

/** A tool as the documents describe it. */
export interface ToolDescription {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly access: ToolAccess;
}
