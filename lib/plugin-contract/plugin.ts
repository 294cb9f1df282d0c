import type { DeclaredBoundary } from '../core/boundaries/boundary.ts';
import type { BearerAuth } from '../core/bearer/bearer-auth.ts';
import type { VerifiedToken, ClientAudience, PersonAudience } from '../core/clients/client.ts';
import type { MemberData } from '../host/member-data.ts';
import type { Member, Site } from '../host/school-platform.ts';
import type { ProtectedResource } from '../core/scopes/protected-resources.ts';
import type { ScopeCatalogue } from '../core/scopes/scopes.ts';
import type { OnAudit } from '../observe/audit-event.ts';
import type { OnFault } from '../observe/events.ts';
import type { Route } from '../http/route.ts';
import type { JsonSchema, ToolAccess } from './tools.ts';
import type { PluginQuotas } from '../core/limits/call-quotas.ts';

/** What `memberApi` of `campus-oidc/member-api` returns, for schools and people of these types and no others. */
export interface MemberApiPlugin<in School extends Site = Site, in Person extends Member = Member> {
  readonly name: 'memberApi';
  /** @internal */
  readonly mount: Mount<MemberApiDescription, School, Person>;
}

/** What `mcp` of `campus-oidc/mcp` returns, for schools and people of these types and no others. */
export interface McpPlugin<in School extends Site = Site, in Person extends Member = Member> {
  readonly name: 'mcp';
  /** @internal */
  readonly mount: Mount<McpDescription, School, Person>;
}

/**
 * Makes the parts of a plug-in. Not a method, so that a plug-in for other schools does not compile.
 *
 * @throws TypeError if its options contradict each other, or name a scope that does not exist
 * @internal
 */
export type Mount<Description, School extends Site = Site, Person extends Member = Member> = (
  services: PluginServices<School, Person>,
) => PluginParts<Description>;

/** @internal */
export interface PluginServices<School extends Site = Site, Person extends Member = Member> {
  readonly bearer: BearerAuth<School, Person>;
  /** Whether the holder of a token sees the address of its person. */
  readonly seesEmail: (access: VerifiedToken) => Promise<boolean>;
  readonly quotas: PluginQuotas;
  readonly onFault: OnFault;
  readonly onAudit: OnAudit;
  readonly catalogue: ScopeCatalogue;
  readonly boundaries: readonly DeclaredBoundary[];
}

/** @internal */
export interface PluginParts<Description> {
  readonly routes: readonly Route[];
  /** Each gets protected-resource metadata of its own. RFC 9728 section 3.1. */
  readonly resources: readonly ProtectedResource[];
  readonly description: Description;
}

/** @internal */
export interface MemberApiDescription {
  readonly schema: boolean;
  /** What it serves of the platform's data. */
  readonly fields: readonly (keyof MemberData)[];
  readonly graphiql: boolean;
  /** The fields that a token without scopes reaches: those of the viewer, and the host's own, as `Viewer.name`. */
  readonly open: readonly string[];
}

/** @internal */
export interface McpDescription {
  readonly endpoints: readonly McpEndpoint[];
  readonly tools: readonly ToolDescription[];
}

/** An address at which the tools are served. @internal */
export interface McpEndpoint extends ProtectedResource {
  /** The audience of the clients that get this address. A token of any audience is accepted. */
  readonly audience: PersonAudience;
  /** Whether requests without a token are served. If not, they get a challenge with `scopes`. */
  readonly anonymous: boolean;
}

/** @internal */
export interface ToolDescription {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** What apps drop the tool for, each with what to write. */
  readonly portability: readonly string[];
  readonly access: ToolAccess<ClientAudience>;
}
