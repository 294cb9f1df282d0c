import type { Context } from 'koa';
import type { Access, AccessOf, ClientAudience, PersonAudience, VerifyToken } from './client.ts';
import type { Member, Site } from './platform.ts';
import type { ProtectedResource } from '../protocol/protected-resources.ts';
import type { ScopeCatalogue } from '../protocol/scopes.ts';
import type { OnAudit } from '../runtime/audit-event.ts';
import type { OnFault } from '../runtime/events.ts';
import type { Route } from './route.ts';
import type { JsonSchema, ToolAccess } from './tools.ts';

export interface PluginServices<School extends Site = Site, Person extends Member = Member> {
  readonly verify: VerifyToken<School, Person>;
  readonly quotas: PluginQuotas;
  readonly onFault: OnFault;
  readonly onAudit: OnAudit;
  readonly catalogue: ScopeCatalogue;
}

/** Count one call, or as many as a large one is worth, or throw `OAuthError` `slow_down` (status 429). */
export interface PluginQuotas {
  /** Calls of tools without a token. */
  readonly anonymous: (ctx: Context, site: Site, calls?: number) => Promise<void>;
  /** Calls of tools with a token. */
  readonly token: (access: AccessOf<ClientAudience>, calls?: number) => Promise<void>;
  /** Calls for a member's own data. */
  readonly member: (access: Access) => void;
  readonly refusals: RefusalCounter;
}

/** Counts, by address, messages that were read before they were counted, and then refused. */
export interface RefusalCounter {
  readonly count: (ctx: Context, site: Site, calls: number) => void;
  /** Whether there were so many in the last hour that the next message must be counted before it is read. */
  readonly isUsedUp: (ctx: Context, site: Site) => boolean;
}

export interface PluginParts<Description> {
  readonly routes: readonly Route[];
  /** Each gets protected-resource metadata of its own. RFC 9728 section 3.1. */
  readonly resources: readonly ProtectedResource[];
  readonly description: Description;
}

export interface Plugin<Description, School extends Site = Site, Person extends Member = Member> {
  /**
   * Not a method, so that a plug-in for other schools does not compile.
   *
   * @throws TypeError if its options contradict each other, or name a scope that does not exist
   */
  readonly mount: (services: PluginServices<School, Person>) => PluginParts<Description>;
}

/** What `memberApi` of `campus-oidc/member-api` returns. */
export type MemberApiPlugin<School extends Site = Site, Person extends Member = Member> = Plugin<
  MemberApiDescription,
  School,
  Person
>;

/** What `mcp` of `campus-oidc/mcp` returns. */
export type McpPlugin<School extends Site = Site, Person extends Member = Member> = Plugin<
  McpDescription,
  School,
  Person
>;

export interface MemberApiDescription {
  readonly schema: boolean;
  /** Whether the host serves more than the viewer's identity. */
  readonly data: boolean;
  readonly graphiql: boolean;
  /** The fields that a token without scopes reaches: those of the viewer, and the host's own, as `Viewer.name`. */
  readonly open: readonly string[];
}

export interface McpDescription {
  readonly endpoints: readonly McpEndpoint[];
  readonly tools: readonly ToolDescription[];
}

/** An address at which the tools are served. */
export interface McpEndpoint extends ProtectedResource {
  /** The audience of the clients that get this address. A token of any audience is accepted. */
  readonly audience: PersonAudience;
  /** Whether requests without a token are served. If not, they get a challenge with `scopes`. */
  readonly anonymous: boolean;
}

export interface ToolDescription {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly access: ToolAccess<ClientAudience>;
}
