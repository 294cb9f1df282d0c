import type { Context } from 'koa';
import type { Member, Site } from '../../host/school-platform.ts';

/** Whose call is counted: a client that acts for a member, or a service. */
export interface CountedAccess {
  readonly site: Site;
  readonly clientId: string;
  readonly member?: Member | undefined;
}

/** Count calls of tools, each one or as many as a large one is worth, or throw `OAuthError` `slow_down` (status 429). */
export interface ToolQuotas {
  /** Calls of tools without a token. */
  readonly anonymous: (ctx: Context, site: Site, calls?: number) => Promise<void>;
  /** Calls of tools with a token. */
  readonly token: (access: CountedAccess, calls?: number) => Promise<void>;
  readonly refusals: RefusalCounter;
}

/** Count the calls that plug-ins serve. */
export interface PluginQuotas extends ToolQuotas {
  /** Calls for a member's own data. */
  readonly member: (access: CountedAccess & { readonly member: Member }) => void;
}

/** Counts, by address, messages that were read before they were counted, and then refused. */
export interface RefusalCounter {
  readonly count: (ctx: Context, site: Site, calls: number) => void;
  /** Whether there were so many in the last hour that the next message must be counted before it is read. */
  readonly isUsedUp: (ctx: Context, site: Site) => boolean;
}
