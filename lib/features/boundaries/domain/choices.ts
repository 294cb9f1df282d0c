import {
  boundariesOf,
  type BoundaryItem,
  type CheckedBoundary,
  type DeclaredBoundary,
  type Only,
} from '../../../core/boundaries/boundary.ts';
import type {
  LimitChoice,
  LimitChoices,
  LimitProblem,
  LimitQuestion,
  LimitRefusal,
  NamedLimit,
  ShownBoundary,
} from '../../../core/boundaries/limit-choices.ts';
import type { Member, Site } from '../../../host/school-platform.ts';
import { field, type Form } from '../../../http/body.ts';
import { InvalidRequest } from '../../../kernel/errors.ts';
import { askedLimits } from './asked-limits.ts';
import { idPattern, maxCharacters, maxChosen } from './limits.ts';

/** How many items a page shows at once. */
const pageSize = 50;

const maxSearch = 100;

export function createLimitChoices(boundaries: readonly CheckedBoundary[]): LimitChoices {
  return {
    declared: boundaries,
    show: async (question, { only, asked, proposed }, form) => {
      const wanted = askedLimits(asked, boundaries);
      // What the person has chosen before counts more than what the app asks for now.
      const first = { ...(typeof wanted === 'object' && wanted), ...only };
      const open = boundariesOf(boundaries, question.scopes);
      return Promise.all(open.map((boundary) => shown(boundary, question, { only, first, proposed }, form)));
    },
    read: async (question, form) => readForm(boundariesOf(boundaries, question.scopes), question, form),
    named: (site, member, only) =>
      Promise.all(Object.entries(only).map(([type, ids]) => named(boundaries, site, member, type, ids))),
    check: (question, only) => checkChoice(boundaries, question, only),
  };
}

interface Proposal {
  readonly only: Only | undefined;
  readonly proposed: boolean;
  /** What is chosen on a page at first. */
  readonly first: Only;
}

async function shown(
  boundary: CheckedBoundary,
  { site, member, demanded = [] }: LimitQuestion,
  { only, first, proposed }: Proposal,
  form: Form | undefined,
): Promise<ShownBoundary> {
  const { type, name, names, scopes } = boundary;
  const before = only?.[type];
  const ids = form ? chosenIn(form, type).slice(0, maxChosen) : (first[type] ?? []);
  const isDemanded = demanded.includes(type);
  const limited = isDemanded || (form ? field(form, `limit.${type}`) !== 'all' : first[type] !== undefined || proposed);
  const search = ((form && field(form, `find.${type}`)) ?? '').trim().slice(0, maxSearch);
  const { items, total, offset } = await page(boundary, site, member, search, form ? offsetIn(form, type) : 0);
  const missing = ids.filter((id) => items.every((item) => item.id !== id));
  const elsewhere = await itemsOf(boundary, site, member, missing);
  const gone = (before ?? []).filter((id) => missing.includes(id) && elsewhere.every((item) => item.id !== id));
  const chosen = new Set(ids);
  return {
    type,
    name,
    names,
    items,
    total,
    offset,
    search,
    limited,
    chosen,
    elsewhere,
    gone,
    demanded: isDemanded,
    scopes,
  };
}

async function page(boundary: CheckedBoundary, site: Site, member: Member, search: string, from: number) {
  const query = { ...(search !== '' && { search }), limit: pageSize };
  const found = await boundary.list(site, member, { ...query, offset: from });
  // There are fewer by now, or another search was entered.
  if (from === 0 || found.items.length > 0) return { ...found, offset: from };
  return { ...(await boundary.list(site, member, { ...query, offset: 0 })), offset: 0 };
}

function offsetIn(form: Form, type: string): number {
  const [pressed = '', ...rest] = (field(form, 'select') ?? '').split('.');
  const at = Number(/^\d{1,6}$/.exec(field(form, `from.${type}`) ?? '')?.[0] ?? 0);
  if (pressed === 'find') return 0;
  if (rest.join('.') !== type) return at;
  return Math.max(0, at + (pressed === 'next' ? pageSize : -pageSize));
}

/** Ids that a host can be asked for. */
function chosenIn(form: Form, type: string): string[] {
  const ticked = [form[`only.${type}`] ?? []].flat();
  return [...new Set(ticked)].filter((id) => idPattern.test(id));
}

async function itemsOf(
  { list }: CheckedBoundary,
  site: Site,
  member: Member,
  ids: readonly string[],
): Promise<readonly BoundaryItem[]> {
  if (ids.length === 0) return [];
  return (await list(site, member, { ids, offset: 0, limit: ids.length })).items;
}

async function named(
  boundaries: readonly CheckedBoundary[],
  site: Site,
  member: Member,
  type: string,
  ids: readonly string[],
): Promise<NamedLimit> {
  const boundary = boundaries.find((each) => each.type === type);
  const asked = ids.filter((id) => idPattern.test(id)).slice(0, maxChosen);
  const own = boundary ? await itemsOf(boundary, site, member, asked) : [];
  const items = ids.map((id) => ({ id, name: own.find((item) => item.id === id)?.name }));
  return { type, name: boundary?.name ?? type, names: boundary?.names, items };
}

/** A form without the choice decides nothing. */
async function readForm(
  boundaries: readonly CheckedBoundary[],
  question: LimitQuestion,
  form: Form,
): Promise<{ readonly choice: LimitChoice } | { readonly refusal: LimitRefusal }> {
  const { demanded = [] } = question;
  const choice: Record<string, readonly string[] | 'all'> = {};
  for (const boundary of boundaries) {
    const { type } = boundary;
    const chosen = await chosenOf(boundary, question, form);
    if (typeof chosen === 'string' && chosen !== 'all') return { refusal: { problem: chosen, type } };
    choice[type] = chosen;
  }
  if (JSON.stringify(choice).length <= maxCharacters) return { choice };
  const [longest] = Object.entries(choice).sort(([, a], [, b]) => JSON.stringify(b).length - JSON.stringify(a).length);
  const problem = demanded.length > 0 ? 'limits.problem.demanded' : 'limits.problem.many';
  return { refusal: { problem, type: longest?.[0] ?? '' } };
}

/** All, the ids, or why neither can be accepted: all and some together are never all. */
async function chosenOf(
  boundary: CheckedBoundary,
  { site, member, demanded = [] }: LimitQuestion,
  form: Form,
): Promise<readonly string[] | 'all' | LimitProblem> {
  const { type } = boundary;
  const isDemanded = demanded.includes(type);
  const isAll = field(form, `limit.${type}`) === 'all' && !isDemanded;
  const ids = chosenIn(form, type);
  if (isAll) return ids.length > 0 ? 'limits.problem.both' : 'all';
  if (ids.length === 0) return isDemanded ? 'limits.problem.demanded' : 'limits.problem.none';
  if (ids.length > maxChosen) return isDemanded ? 'limits.problem.demanded' : 'limits.problem.many';
  const own = await itemsOf(boundary, site, member, ids);
  return own.length < ids.length ? 'limits.problem.foreign' : ids.sort();
}

async function checkChoice(
  boundaries: readonly CheckedBoundary[],
  { site, member, scopes, demanded = [] }: LimitQuestion,
  only: Only,
): Promise<LimitChoice> {
  const open = boundariesOf(boundaries, scopes);
  const unknown = Object.keys(only).find((type) => open.every((boundary) => boundary.type !== type));
  if (unknown !== undefined) throw new InvalidRequest(unknownType(boundaries, unknown));
  const choice: Record<string, readonly string[] | 'all'> = {};
  for (const boundary of open) {
    const { type } = boundary;
    const ids = only[type] && [...new Set(only[type])].sort();
    if (!ids && demanded.includes(type))
      throw new InvalidRequest(`the limits must have the type ${JSON.stringify(type)}, which the school demands`);
    if (ids && (ids.length === 0 || ids.length > maxChosen))
      throw new InvalidRequest(`a limit of the type ${JSON.stringify(type)} must have 1 to ${maxChosen} ids`);
    const own = await itemsOf(boundary, site, member, ids ?? []);
    const foreign = ids?.find((id) => own.every((item) => item.id !== id));
    if (foreign !== undefined)
      throw new InvalidRequest(
        `a limit of the type ${JSON.stringify(type)} must have ids of the person, not ${JSON.stringify(foreign)}`,
      );
    choice[type] = ids ?? 'all';
  }
  if (JSON.stringify(choice).length > maxCharacters)
    throw new InvalidRequest(`the limits must not have more than ${maxCharacters} characters together`);
  return choice;
}

function unknownType(boundaries: readonly DeclaredBoundary[], type: string): string {
  const isDeclared = boundaries.some((boundary) => boundary.type === type);
  const name = JSON.stringify(type);
  return isDeclared
    ? `the limits must have types that a scope of the connection has, not ${name}`
    : `the limits must have types of the option boundaries, not ${name}`;
}
