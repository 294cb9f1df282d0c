import { type AppAccess, appAccesses, type AppRule } from '../../../core/access/rule.ts';
import type { AppTarget } from '../../../core/access/app-rule.ts';
import { identityScopes, type Scope, splitScope } from '../../../core/scopes/scopes.ts';
import { field, type Form } from '../../../http/body.ts';
import type { FormFields } from '../../../pages/kit/member-page.ts';
import { choosable } from '../../../pages/kit/permissions.ts';
import { type DecisionView, ruleBefore, targetFields } from './decision-view.ts';

/** `default`: the school decides nothing. */
export type Choice = AppAccess | 'default';

/** In characters. */
export const maxNote = 1000;

export interface FormDecision {
  /** Absent if nothing was chosen. */
  readonly choice: Choice | undefined;
  /** The rule of the school; absent for no decision. */
  readonly rule: AppRule | undefined;
  readonly note: string | undefined;
  /** The roles that are ticked or entered. */
  readonly named: readonly string[];
  /** Whether somebody can connect it by its roles, and none is ticked of those that were shown. */
  readonly hasNobody: boolean;
}

/** What the form says. */
export function decisionIn(form: Form, view: DecisionView): FormDecision {
  const choice = ([...appAccesses, 'default'] as const).find((each) => each === field(form, 'access'));
  // A browser counts the end of a line as one character, and sends two.
  const note = (field(form, 'note') ?? '').replaceAll('\r\n', '\n').trim();
  const typed = (field(form, 'roles') ?? '').split(',').map((role) => role.trim());
  const named = [...new Set([...[form['role'] ?? []].flat(), ...typed].filter(Boolean))];
  const shown = [form['shown'] ?? []].flat();
  const isEveryone = shown.length > 0 && shown.every((role) => named.includes(role)) && !hasRoles(view, named);
  const roles = isEveryone ? [] : named;
  const ticked = [...[form['scope'] ?? []].flat(), ...splitScope(field(form, 'scopes'))];
  const { pseudonym, identity } = identityIn(form, view);
  const limited = field(form, 'limited') === 'yes' && { scopes: [...new Set([...identity, ...choosable(ticked)])] };
  const demands = demandsIn(form, view);
  const hasRule = choice !== undefined && choice !== 'default';
  return {
    choice,
    rule: hasRule
      ? {
          access: choice,
          ...(field(form, 'ask') === 'ask' && { ask: true }),
          ...(roles.length > 0 && { roles }),
          ...limited,
          ...(pseudonym && { pseudonym }),
          ...(demands.length > 0 && { limited: demands }),
        }
      : undefined,
    note: note === '' ? undefined : note,
    named,
    // Beside a block, roles say nothing.
    hasNobody: hasRule && choice !== 'blocked' && shown.length > 0 && named.length === 0,
  };
}

/**
 * Under which names clients know people. What a form does not show stays as it is, as the identity scopes do: nobody becomes known by name
 * through a change of something else.
 */
function identityIn(
  form: Form,
  view: DecisionView,
): { readonly pseudonym: boolean; readonly identity: readonly Scope[] } {
  const { scopes, pseudonym: before = false } = ruleBefore(view);
  const isShown = view.canHide && [form['asked'] ?? []].flat().includes('pseudonym');
  const pseudonym = isShown ? field(form, 'pseudonym') === 'yes' : before;
  const isLeft = (scope: Scope): boolean => {
    if (pseudonym) return scope === 'openid' || scopes?.includes(scope) === true;
    return before || scopes === undefined || scopes.includes(scope);
  };
  return { pseudonym, identity: identityScopes.filter(isLeft) };
}

/** For what people have to choose. A form that does not show it changes nothing of it. */
function demandsIn(form: Form, view: DecisionView): readonly string[] {
  const { limited: before = [] } = ruleBefore(view);
  if (field(form, 'demands') !== 'shown') return before;
  const known = [...before, ...view.boundaries.map(({ type }) => type)];
  return [...new Set([form['demand'] ?? []].flat())].filter((type) => known.includes(type));
}

/** Whether the rule before names exactly these roles: all that a school has now may be some of those of tomorrow. */
function hasRoles(view: DecisionView, roles: readonly string[]): boolean {
  const { roles: before = [] } = ruleBefore(view);
  return before.length === roles.length && before.every((role) => roles.includes(role));
}

/** The same form once more, for a confirmation: what was looked at stays what it was. */
export function decisionFields(target: AppTarget, { rule, note = '' }: FormDecision, form: Form): FormFields {
  const { access = 'default', ask, roles = [], scopes = [], pseudonym, limited } = rule ?? {};
  const isLimited = field(form, 'limited') === 'yes';
  const looked = (['version', 'request'] as const).flatMap((name) => {
    const value = field(form, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...targetFields(target),
    ...Object.fromEntries(looked),
    access,
    ...(ask && { ask: 'ask' }),
    role: roles,
    ...(isLimited && { limited: 'yes', scopes: scopes.join(' ') }),
    asked: [form['asked'] ?? []].flat(),
    ...(pseudonym && { pseudonym: 'yes' }),
    demands: 'shown',
    demand: limited ?? [],
    note,
    confirmed: 'yes',
  };
}
