import type { Context } from 'koa';
import type { Access, AccessOf, ClientAudience } from '../clients/client.ts';
import type { Site } from '../../host/school-platform.ts';

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
