import type { ScopeRow, StandardScope } from '../../protocol/scopes.ts';

/** Members cannot deselect it: without it there is no connection. */
export const fixedScope: StandardScope = 'openid';

export function byArea(rows: readonly ScopeRow[]): [area: string, rows: ScopeRow[]][] {
  return [...Map.groupBy(rows, ({ area }) => area)];
}
