import { boundariesOf, type Only, sameLimits } from '../../../core/boundaries/boundary.ts';
import {
  type LimitChoices,
  type LimitRefusal,
  type LimitQuestion,
  limitsWith,
  type ShownBoundary,
} from '../../../core/boundaries/limit-choices.ts';
import type { Connection } from '../../../core/connections/connection.ts';
import type { Scope } from '../../../core/scopes/scopes.ts';
import { field, type Form } from '../../../http/body.ts';
import type { Site, Member } from '../../../host/school-platform.ts';

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
): Promise<readonly ShownBoundary[]> {
  const { only, scopes } = connection;
  const [own, added] = await Promise.all([
    limits.show({ ...asked, scopes }, { only, proposed: false }, form),
    limits.show({ ...asked, scopes: givable }, { only, proposed: true }, form),
  ]);
  const others = added.filter(({ type }) => own.every((each) => each.type !== type));
  return [...own, ...others];
}

/** Whether a form says what these scopes count for: it has something else than its page had, or what is added is limited. */
export function decidesLimits(
  shown: readonly ShownBoundary[],
  { declared }: LimitChoices,
  form: Form,
  { kept, added }: { readonly kept: readonly Scope[]; readonly added: readonly Scope[] },
): { readonly isAsked: boolean; readonly isChanged: boolean } {
  const of = (scopes: readonly Scope[]): readonly ShownBoundary[] => {
    const types = new Set(boundariesOf(declared, scopes).map(({ type }) => type));
    return shown.filter(({ type }) => types.has(type));
  };
  const isChanged = of([...kept, ...added]).some((boundary) => isIn(form, boundary) && isOther(form, boundary));
  return { isAsked: isChanged || of(added).length > 0, isChanged };
}

/** A page from before a permission was given had no choice. */
function isIn(form: Form, { type }: ShownBoundary): boolean {
  return [form['limits'] ?? []].flat().includes(type) || field(form, `limit.${type}`) !== undefined;
}

/** What is gone has no checkbox. */
function isOther(form: Form, { type, limited, chosen, gone }: ShownBoundary): boolean {
  const ids = [form[`only.${type}`] ?? []].flat();
  const before = [...chosen].filter((id) => !gone.includes(id));
  return (field(form, `limit.${type}`) === 'all') === limited || !sameLimits({ ids }, { ids: before });
}

/** The limits in a form for these scopes, or why it cannot be accepted. */
export async function limitsIn(
  limits: LimitChoices,
  question: LimitQuestion,
  form: Form,
): Promise<
  { readonly only: Only; readonly refusal?: undefined } | { readonly only?: undefined; readonly refusal: LimitRefusal }
> {
  const read = await limits.read(question, form);
  if ('refusal' in read) return { refusal: read.refusal };
  return { only: limitsWith(undefined, read.choice) ?? {} };
}
