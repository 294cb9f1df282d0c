import type { CallOptions, PageRequest } from '../../contracts/member-data.ts';
import type { Member, Site } from '../../contracts/member.ts';
import type { Tool, ToolCall } from '../../contracts/tools.ts';

/** What tools have in common that read the member's data. */
export const reading: Pick<Tool, 'access' | 'annotations'> = {
  access: { scopes: ['account:read'] },
  annotations: { readOnlyHint: true, openWorldHint: false },
};

/** What a method of `memberData` is called with. */
export type Asked<A extends unknown[] = [page: PageRequest]> = [viewer: Member, site: Site, ...A, CallOptions];

/** The arguments of a question to `memberData` about the member who calls. */
export function memberCall<A extends unknown[]>({ access, site, signal }: ToolCall, ...args: A): Asked<A> {
  if (!access) throw new Error('a tool that needs scopes was called without a token');
  return [access.member, site, ...args, { signal }];
}
