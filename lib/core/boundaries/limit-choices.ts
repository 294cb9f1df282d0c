import type { Form } from '../../http/body.ts';
import type { Member, Site } from '../../host/school-platform.ts';
import { InvalidRequest } from '../../kernel/errors.ts';
import type { BoundaryItem, DeclaredBoundary, NamedBoundary, Only } from './boundary.ts';

/** What a person decided, by the type of boundary. A type that is absent stays as it was. */
export type LimitChoice = Readonly<Record<string, readonly string[] | 'all'>>;

/** What a person has limited a connection to, with names. */
export type LimitNames = (site: Site, memberId: string, only: Only) => Promise<readonly NamedLimit[]>;

/** The field set of one boundary, as a page shows it. */
export interface ShownBoundary extends NamedBoundary {
  /** A part of all items that the search finds. */
  readonly items: readonly BoundaryItem[];
  readonly total: number;
  readonly offset: number;
  readonly search: string;
  readonly limited: boolean;
  readonly chosen: ReadonlySet<string>;
  /** Chosen, and not among `items`. */
  readonly elsewhere: readonly BoundaryItem[];
  /** Ids that were chosen before, and that the person no longer has. */
  readonly gone: readonly string[];
  /** A rule demands a limit. */
  readonly demanded: boolean;
  /** The scopes that it limits. */
  readonly scopes: readonly string[];
  /** Why what was chosen cannot be accepted. @default nothing was, or it can */
  readonly problem?: LimitProblem | undefined;
}

/** For what a page asks, and what was decided before. */
export interface LimitQuestion {
  readonly site: Site;
  readonly member: Member;
  /** What is asked for, or granted. */
  readonly scopes: readonly string[];
  /** The types for which a rule demands a limit. @default none */
  readonly demanded?: readonly string[] | undefined;
}

/** What a page knows before the person has chosen. */
export interface LimitsBefore {
  readonly only: Only | undefined;
  /** What the app asks for: the `authorization_details` of its request. @default nothing */
  readonly asked?: string | undefined;
  /** Whether to propose a limit for what was not decided yet. */
  readonly proposed: boolean;
}

/** Why a form decides nothing. */
export type LimitProblem =
  | 'limits.problem.none'
  | 'limits.problem.both'
  | 'limits.problem.many'
  | 'limits.problem.demanded'
  | 'limits.problem.foreign'
  | 'limits.problem.changed';

/** A form that decides nothing, and the type of boundary that it has wrong. */
export interface LimitRefusal {
  readonly problem: LimitProblem;
  readonly type: string;
}

/** The field sets, with what is wrong beside the one that it is about. */
export function withProblem(limits: readonly ShownBoundary[], refusal: LimitRefusal): readonly ShownBoundary[] {
  return limits.map((shown) => (shown.type === refusal.type ? { ...shown, problem: refusal.problem } : shown));
}

/** One limit, as people read it. */
export interface NamedLimit extends NamedBoundary {
  /** Without a name: the person does not have it, or the type is no longer declared. */
  readonly items: readonly { readonly id: string; readonly name?: string | undefined }[];
}

/** What people choose their limits with. */
export interface LimitChoices {
  readonly declared: readonly DeclaredBoundary[];
  /** What a page shows: with a form, what the person has chosen in it. @throws TemporarilyUnavailable */
  readonly show: (question: LimitQuestion, before: LimitsBefore, form?: Form) => Promise<readonly ShownBoundary[]>;
  /** What a form decides. Each item must be one that the person has. @throws TemporarilyUnavailable */
  readonly read: (
    question: LimitQuestion,
    form: Form,
  ) => Promise<{ readonly choice: LimitChoice } | { readonly refusal: LimitRefusal }>;
  /** The limits with the names that the platform has for this person now. @throws TemporarilyUnavailable */
  readonly named: (site: Site, member: Member, only: Only) => Promise<readonly NamedLimit[]>;
  /** Checks a choice that was made in code. @throws InvalidRequest for what the person does not have; TemporarilyUnavailable */
  readonly check: (question: LimitQuestion, only: Only) => Promise<LimitChoice>;
}

/** Where no feature lets people choose. What was chosen before stays, and nobody honours it. */
export const noLimitChoices: LimitChoices = {
  declared: [],
  show: async () => [],
  read: async () => ({ choice: {} }),
  named: async (_site, _member, only) =>
    Object.entries(only).map(([type, ids]) => ({ type, name: type, items: ids.map((id) => ({ id })) })),
  check: async (_question, only) => {
    const [type] = Object.keys(only);
    if (type !== undefined)
      throw new InvalidRequest(
        `the limits must have types of the option boundaries, which is empty, not ${JSON.stringify(type)}`,
      );
    return {};
  },
};

/** Whether a button of the form draws the field sets again, with nothing decided. */
export function isLimitSearch(pressed: string | undefined): boolean {
  return pressed !== undefined && /^(?:find$|(?:next|back)\.)/.test(pressed);
}

/** Limits with a choice about some types. All others stay, also those that are no longer declared: the platform may have them again. */
export function limitsWith(before: Only | undefined, choice: LimitChoice = {}): Only | undefined {
  const limits = Object.entries({ ...before, ...choice }).flatMap(([type, ids]): [string, readonly string[]][] =>
    ids === 'all' ? [] : [[type, ids]],
  );
  return limits.length > 0 ? Object.fromEntries(limits) : undefined;
}
