import type { ListedProgram } from '../../../core/decisions/program-rule.ts';
import { isProgramId } from '../../../core/known-programs/known-programs.ts';
import type { PageResult } from '../../../pages/kit/page-access.ts';
import { listingIn } from '../../../pages/kit/lists.ts';
import { programsPath } from '../../../pages/kit/console.ts';
import type { DecisionRequest } from './decision-view.ts';
import { programsFile } from './downloads.ts';
import { rulesPage } from './rule-pages.ts';

export async function showRules({ programs, context, call }: DecisionRequest): Promise<PageResult> {
  const { query } = call.ctx;
  const offer = { path: programsPath(context.path), menus: ['status', 'sort'], order: 'list.sort.ruled' } as const;
  const listing = listingIn(query, offer);
  const isFile = query['format'] === 'csv';
  const list = await programs.list(context.site, { ...listing.query, ...(isFile && { size: undefined }) });
  return isFile ? programsFile(list) : rulesPage(context, listing, list);
}

/** Anyone can type an address, so an unknown program without a rule is not found. */
export async function findProgram(
  { programs, context }: DecisionRequest,
  id: string,
): Promise<ListedProgram | undefined> {
  const listed = await programs.find(context.site, { program: id });
  return isProgramId(id) || listed.own || listed.people > 0 ? listed : undefined;
}
