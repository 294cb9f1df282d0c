import * as z from 'zod';
import { readReturn } from '../../host/check-returns.ts';
import type { MaybePromise } from '../../host/school-platform.ts';
import { func, group, hasMembers, type Shape, text } from '../../kernel/option-schemas.ts';
import { isObject } from '../../kernel/validate.ts';
import type { OnFault } from '../../observe/events.ts';
import { faultWrapper, isThenable, reportFault } from '../../observe/faults-to-503.ts';
import type { ScopeCatalogue } from '../scopes/scopes.ts';
import { type AccessPolicy, type Moment, moments, type Question } from './policy.ts';
import { type AccessRule, appAccesses } from './rule.ts';

/** What somebody has said. */
export interface NamedRule {
  /** The policy, by its place and name: `access[1] reviewedOnly`. @default it is the rule of the school */
  readonly policy?: string | undefined;
  readonly rule: AccessRule;
}

/** Asks the policies that are for this moment. At use the result is not a promise. */
export interface AccessPolicies {
  (question: Question): MaybePromise<readonly NamedRule[]>;
  /** Whether there is one for this moment. */
  readonly countAt: (moment: Moment) => boolean;
  /** The roles that each of them names. */
  readonly roles: readonly { readonly policy: string; readonly roles: readonly string[] }[];
}

const none: readonly never[] = Object.freeze([]);

interface Asked {
  readonly path: string;
  readonly at: readonly Moment[];
  readonly roles: readonly string[];
  readonly ask: (question: Question) => MaybePromise<NamedRule | undefined>;
}

/** A misspelt member would take nothing away, and a misspelt scope something else: both are faults. */
function accessRule({ has }: ScopeCatalogue): z.ZodType<AccessRule> {
  const scope = z.string().refine(has, 'be a scope, as campus.scopes lists them');
  const texts = z.union([z.string(), z.record(z.string(), z.string())], 'be a text, or texts by language');
  return group(
    {
      access: z.enum(appAccesses, 'be "allowed", "view_only" or "blocked"').optional(),
      ask: z.boolean('be true or false').optional(),
      roles: z.array(text(), 'be an array of roles').optional(),
      scopes: z.array(scope, 'be an array of scopes').optional(),
      pseudonym: z.boolean('be true or false').optional(),
      limited: z.array(text(), 'be an array of types of boundaries').optional(),
      text: texts.optional(),
    } satisfies Shape<AccessRule>,
    'be { access, ask, roles, scopes, pseudonym, limited, text }, or undefined',
  );
}

/** Policies are pure functions of the question: they do not see what another one has said. */
export function accessPolicies(
  policies: readonly AccessPolicy[],
  catalogue: ScopeCatalogue,
  onFault: OnFault,
): AccessPolicies {
  const all = policies.map(askedPolicy(catalogue, onFault));
  const of = (moment: Moment): readonly Asked[] => all.filter(({ at }) => at.includes(moment));
  const lists = { connect: of('connect'), refresh: of('refresh'), use: of('use') };
  const ask = (asked: Question): MaybePromise<readonly NamedRule[]> => {
    const question = frozen(asked);
    let rules: readonly NamedRule[] = none;
    let later: Promise<NamedRule | undefined>[] | undefined;
    for (const each of lists[question.at]) {
      const answer = each.ask(question);
      if (answer instanceof Promise) (later ??= []).push(answer);
      else if (answer) rules = rules === none ? [answer] : [...rules, answer];
    }
    return later ? withLater(rules, later) : rules;
  };
  return Object.assign(ask, {
    countAt: (moment: Moment) => lists[moment].length > 0,
    roles: all.map(({ path, roles }) => ({ policy: path, roles })),
  });
}

/** No policy changes what the next one is asked. */
function frozen(question: Question): Question {
  Object.freeze(question.app);
  Object.freeze(question.client);
  Object.freeze(question.scopes);
  return Object.freeze(question);
}

async function withLater(
  rules: readonly NamedRule[],
  later: readonly Promise<NamedRule | undefined>[],
): Promise<readonly NamedRule[]> {
  const more = await Promise.all(later);
  return [...rules, ...more.flatMap((each) => each ?? [])];
}

function askedPolicy(catalogue: ScopeCatalogue, onFault: OnFault): (policy: AccessPolicy, i: number) => Asked {
  const wrap = faultWrapper(onFault);
  const schema = accessRule(catalogue);
  return (policy, i) => {
    const {
      name = '',
      at = moments,
      roles = none,
      decide,
    } = typeof policy === 'function' ? { name: policy.name, decide: policy } : policy;
    const path = name === '' ? `access[${i}]` : `access[${i}] ${name}`;
    // The policies of `campus-oidc/policies` return the same frozen rule each time, which is checked once.
    let last: NamedRule | undefined;
    const checked = (rule: AccessRule | null | undefined): NamedRule | undefined => {
      if (rule === undefined || rule === null) return undefined;
      if (last?.rule === rule) return last;
      // Whatever a policy does to its rule later, this answer stays.
      const kept = readReturn(path, schema, rule);
      if (!Object.isFrozen(rule)) return { policy: path, rule: kept };
      const found = { policy: path, rule };
      last = found;
      return found;
    };
    const mayWait = !at.includes('use');
    const later = wrap(path, async (answer: PromiseLike<AccessRule | null | undefined>) => checked(await answer));
    return {
      path,
      at,
      roles,
      ask(question) {
        try {
          const answer = decide(question);
          if (!isThenable(answer)) return checked(answer);
          // Found at the first connection, not at the first use.
          if (mayWait) return later(answer);
          Promise.resolve(answer).catch(() => undefined);
          throw new TypeError(`${path} returned a promise, so it must have at: ['connect', 'refresh']`);
        } catch (error) {
          throw reportFault(onFault, path, error);
        }
      },
    };
  };
}

const policyMembers = z.strictObject({
  name: z.string('be a text').optional(),
  at: z
    .array(z.enum(moments, 'be "connect", "refresh" or "use"'), 'be an array of moments')
    .min(1, 'have at least one moment, or be omitted')
    .optional(),
  roles: z.array(text(), 'be an array of roles').optional(),
  decide: func(),
});

/** An entry of the option `access`. @internal */
export const accessPolicyField = z
  .custom<AccessPolicy>((value) => typeof value === 'function' || isObject(value), 'be a function, or { at, decide }')
  .check((payload) => {
    if (isObject(payload.value)) hasMembers(policyMembers)(payload);
  })
  .meta({ type: '`AccessPolicy`' });
