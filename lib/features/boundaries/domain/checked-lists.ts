import * as z from 'zod';
import type { BoundaryPage, BoundaryQuery, CheckedBoundary } from '../../../core/boundaries/boundary.ts';
import { wrongReturn, checkReturn } from '../../../host/check-returns.ts';
import type { Member, Site } from '../../../host/school-platform.ts';
import type { OnFault } from '../../../observe/events.ts';
import { faultWrapper } from '../../../observe/faults-to-503.ts';
import { idPattern } from './limits.ts';
import type { BoundariesSettings } from './option.ts';

/** The boundaries of the host: what they return is checked, and their failures are reported as faults. */
export interface BoundaryPolicies {
  readonly boundaries: readonly CheckedBoundary[];
}

const idDemand = 'be 1 to 64 characters of printable ASCII without space';
const lineDemand = 'be one line of at most 200 characters';
const line = z.string(lineDemand).regex(/^[^\p{Cc}\p{Zl}\p{Zp}]{1,200}$/u, lineDemand);

const pageSchema = z.object(
  {
    items: z.array(
      z.object(
        { id: z.string(idDemand).regex(idPattern, idDemand), name: line, detail: line.optional() },
        'be an object with id and name',
      ),
      'be an array',
    ),
    total: z.int('be a whole number').min(0, 'be a whole number'),
  },
  'be an object with items and total',
);

export function boundaryPolicies({ boundaries }: BoundariesSettings, onFault: OnFault): BoundaryPolicies {
  const wrap = faultWrapper(onFault);
  return {
    boundaries: boundaries.map((boundary) => {
      const name = `boundaries.${boundary.type}.list`;
      const list = wrap(name, async (site: Site, member: Member, query: BoundaryQuery) =>
        checkPage(name, query, checkReturn(name, pageSchema, await boundary.list(site, member, query))),
      );
      const { type, names, scopes } = boundary;
      return { type, name: boundary.name, names, scopes, list };
    }),
  };
}

/** What was not asked for could be another person's. */
function checkPage(name: string, { ids, limit }: BoundaryQuery, page: BoundaryPage): BoundaryPage {
  const { items } = page;
  const wrong = (member: string, value: unknown, rule: string): TypeError => wrongReturn(name, member, value, rule);
  if (items.length > limit) throw wrong('items.length', items.length, `be at most ${limit}, the requested number`);
  if (page.total < items.length) throw wrong('total', page.total, 'be at least the number of items');
  const seen = new Set<string>();
  items.forEach(({ id }, i) => {
    if (seen.has(id)) throw wrong(`items[${i}].id`, id, 'be unique');
    if (ids && !ids.includes(id)) throw wrong(`items[${i}].id`, id, 'be one of the requested ids');
    seen.add(id);
  });
  return page;
}
