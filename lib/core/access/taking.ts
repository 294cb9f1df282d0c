import type { NamedRule } from './ask-policies.ts';
import { type Facts, type Taken, type Refused, type Permission, type Step, none } from './permission.ts';
import { type Decider, type RuleText, stricter } from './rule.ts';
import { type Refusal, deciders, changes, refusalText } from './who-can-change.ts';

/** What a rule takes by itself. What depends on the person, or on an approval, a later step takes. */
export function apply(p: Permission, step: Step, named: NamedRule, { catalogue }: Facts): Permission {
  const { policy, rule } = named;
  const { access, scopes } = rule;
  const { by } = said(named);
  if (access === 'blocked') return refuse(withRule(p, onlyBlocks(named)), step, 'client_blocked', by, named);
  const found = withRule(p, named);
  const views = policy !== undefined && access === 'view_only';
  if (!scopes && !views) return found;
  const keeps = (scope: string): boolean =>
    scopes?.includes(scope) !== false && !(views && catalogue.row(scope)?.access === 'write');
  return keep(found, step, keeps, (names) =>
    policy === undefined
      ? {
          code: 'scope',
          from: by,
          text: `a rule takes ${names} away`,
          change: `${deciders[by]} adds the scope to the rule`,
        }
      : {
          code: 'policy',
          from: by,
          policy,
          text: `a policy of the platform (${policy}) takes ${names} away`,
          change: 'the platform changes this policy (option access)',
          texts: textsOf(named),
        },
  );
}

function withRule(p: Permission, named: NamedRule): Permission {
  return { ...p, rule: stricter(p.rule, named.rule), said: [...p.said, named] };
}

/** Beside a block, the other members of a rule say nothing. */
function onlyBlocks({ policy }: NamedRule): NamedRule {
  return { policy, rule: { access: 'blocked' } };
}

type Loss = Omit<Taken, 'step' | 'scopes'>;

/** `loss` is made only if something is lost. */
export function keep(
  p: Permission,
  step: Step,
  keeps: (scope: string) => boolean,
  loss: (names: string) => Loss,
): Permission {
  if (p.scopes.every(keeps)) return p;
  const scopes = p.scopes.filter((scope) => !keeps(scope));
  const taken: Taken = { step: step.name, scopes, ...loss(scopes.join(' ')) };
  return { ...p, scopes: p.scopes.filter(keeps), taken: [...p.taken, taken] };
}

/** @param roles - those of which the person needs one */
export function refuse(
  p: Permission,
  step: Step,
  refusal: Refusal,
  by: Decider,
  named?: NamedRule,
  roles: readonly string[] = none,
): Permission {
  const refused = { outcome: outcomes[refusal], refusal, by, ...(roles.length > 0 && { roles }) };
  return end(p, refused, step, {
    code: refusal,
    policy: named?.policy,
    text: refusalText(refusal, by, roles),
    change: changes[refusal](named?.policy !== undefined && by === 'platform' ? undefined : deciders[by]),
    texts: named && textsOf(named),
  });
}

export function end(p: Permission, refused: Refused, step: Step, loss: Omit<Loss, 'from'>): Permission {
  const taken: Taken = { step: step.name, scopes: 'all', from: refused.by, ...loss };
  return { ...p, refused: p.refused ?? refused, taken: [...p.taken, taken] };
}

export function said(named: NamedRule | undefined): { readonly by: Decider; readonly policy: string | undefined } {
  return { by: named && named.policy === undefined ? 'school' : 'platform', policy: named?.policy };
}

function textsOf({ rule: { text } }: NamedRule): readonly RuleText[] | undefined {
  return text === undefined ? undefined : [text];
}

const outcomes: Readonly<Record<Refusal, Refused['outcome']>> = {
  client_not_permitted: 'impossible',
  client_blocked: 'blocked',
  client_role: 'blocked',
  needs_approval: 'needs_approval',
  no_access: 'impossible',
  secret_ended: 'impossible',
};
