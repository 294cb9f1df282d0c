import { boundariesOf, type Only, sameLimits } from '../../../core/boundaries/boundary.ts';
import {
  type LimitChoices,
  type LimitProblem,
  type LimitQuestion,
  limitsWith,
  type ShownBoundary,
} from '../../../core/boundaries/limit-choices.ts';
import type { Connection } from '../../../core/connections/connection.ts';
import type { Scope } from '../../../core/scopes/scopes.ts';
import { field, type Form } from '../../../http/body.ts';
import type { Site, Member } from '../../../host/school-platform.ts';

/** What the page of an app asks of limits. */
export interface AppLimits {
  readonly shown: readonly ShownBoundary[];
  /** Whether they are part of the form of permissions: one of those that can be added is limited. */
  readonly withPermissions: boolean;
}

interface LimitedApp {
  readonly site: Site;
  readonly member: Member;
  readonly demanded?: readonly string[] | undefined;
  readonly connection: Connection;
  /** What the person can give it in addition. */
  readonly givable: readonly Scope[];
}

/** For what the app has, and for what it can get: nobody has chosen for that, so a limit is proposed. */
export async function appLimits(
  limits: LimitChoices,
  { connection, givable, ...asked }: LimitedApp,
  form?: Form,
): Promise<AppLimits> {
  const { only, scopes } = connection;
  const [own, added] = await Promise.all([
    limits.show({ ...asked, scopes }, { only, proposed: false }, form),
    limits.show({ ...asked, scopes: givable }, { only, proposed: true }, form),
  ]);
  const others = added.filter(({ type }) => own.every((each) => each.type !== type));
  return { shown: [...own, ...others], withPermissions: added.length > 0 };
}

/** Whether a form of permissions says what these scopes count for: it has something else than its page had, or what is added is limited. */
export function decidesLimits(
  { shown, withPermissions }: AppLimits,
  { declared }: LimitChoices,
  form: Form,
  { kept, added }: { readonly kept: readonly Scope[]; readonly added: readonly Scope[] },
): { readonly isAsked: boolean; readonly isChanged: boolean } {
  const of = (scopes: readonly Scope[]): readonly ShownBoundary[] => {
    const types = new Set(boundariesOf(declared, scopes).map(({ type }) => type));
    return shown.filter(({ type }) => types.has(type));
  };
  // A form of an earlier page can have them where this page does not.
  const has = ({ type }: ShownBoundary): boolean => withPermissions || field(form, `limit.${type}`) !== undefined;
  const isChanged = of([...kept, ...added]).some((boundary) => has(boundary) && isOther(form, boundary));
  return { isAsked: isChanged || of(added).length > 0, isChanged };
}

/** What is gone has no checkbox. */
function isOther(form: Form, { type, limited, chosen, gone }: ShownBoundary): boolean {
  const ids = [form[`only.${type}`] ?? []].flat();
  const before = [...chosen].filter((id) => !gone.includes(id));
  return field(form, `limit.${type}`) !== (limited ? 'some' : 'all') || !sameLimits({ ids }, { ids: before });
}

/** The limits in a form for these scopes, or why it cannot be accepted. */
export async function limitsIn(
  limits: LimitChoices,
  question: LimitQuestion,
  form: Form,
): Promise<
  { readonly only: Only; readonly problem?: undefined } | { readonly only?: undefined; readonly problem: LimitProblem }
> {
  const choice = await limits.read(question, form);
  if (typeof choice === 'string') return { problem: choice };
  return { only: limitsWith(undefined, choice) ?? {} };
}
