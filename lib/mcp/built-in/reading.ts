import type { CallOptions, PageRequest } from '../../contracts/member-data.ts';
import type { Member, Site } from '../../contracts/member.ts';
import type { Tool, ToolCall } from '../../contracts/tools.ts';

/** Access and annotations of the tools that read the member's data. */
export const reading: Pick<Tool, 'access' | 'annotations'> = {
  access: { scopes: ['account:read'] },
  annotations: { readOnlyHint: true, openWorldHint: false },
};

/** The arguments of a `memberData` method. */
export type Asked<A extends unknown[] = [page: PageRequest]> = [viewer: Member, site: Site, ...A, CallOptions];

/** The arguments for a `memberData` method about the calling member. */
export function memberCall<A extends unknown[]>({ access, site, signal }: ToolCall, ...args: A): Asked<A> {
  if (!access) throw new Error('a tool that requires scopes was called without a token');
  return [access.member, site, ...args, { signal }];
}
