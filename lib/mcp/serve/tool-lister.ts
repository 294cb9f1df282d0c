import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import type { Access, ClientAudience } from '../../contracts/client.ts';
import type { ToolAccess } from '../../contracts/tools.ts';
import { mayHave } from '../../protocol/scopes.ts';
import type { ToolTable } from '../declare/tool-table.ts';

export type ToolLister = (access: Access | undefined) => readonly ListedTool[];

/**
 * Without a token, the public tools. With a token, also every tool for which its kind of client can get the scopes, so that
 * the client can call it and step up. Specification: Anonymous and missing tokens 1; Registration rules 6.
 */
export function toolLister(table: ToolTable): ToolLister {
  const tools = [...table.values()];
  const list = (shows: (access: ToolAccess) => boolean) =>
    tools.filter(({ tool }) => shows(tool.access)).map(({ listed }) => listed);
  const lists = {
    anonymous: list((access) => access === 'public'),
    operator: list((access) => isWithinReach('operator', access)),
    member: list((access) => isWithinReach('member', access)),
  };
  return (access) => lists[access?.audience ?? 'anonymous'];
}

function isWithinReach(audience: ClientAudience, access: ToolAccess): boolean {
  return access === 'public' || access.scopes.every((scope) => mayHave(audience, scope));
}
