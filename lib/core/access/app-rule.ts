import * as z from 'zod';
import { appAccesses, type AppRule, type Decider } from './rule.ts';
import { group, type Shape, text as someText } from '../../kernel/option-schemas.ts';

/** What a rule is for: an app, however it becomes a client, or one client, whose rule is then in place of its app's. */
export type AppTarget = { readonly app: string } | { readonly clientId: string };

/** Where a rule comes from. */
export type RuleOrigin = 'default' | Decider;

/** An app, as far as is known without a look-up. */
export interface RuledApp {
  readonly id: string;
  readonly verified: boolean;
}

/** @param isScope - whether a scope exists @internal */
export function appRule(isScope: (scope: string) => boolean = () => true): z.ZodType {
  const scope = z.string().refine(isScope, 'be a scope, as campus.scopes lists them');
  return group(
    {
      access: z.enum(appAccesses, 'be "allowed", "view_only" or "blocked"'),
      ask: z.boolean('be true or false').nullish(),
      roles: z
        .array(someText(), 'be an array of roles')
        .min(1, 'have at least one role; to let no one connect the app, set access to "blocked"')
        .nullish(),
      scopes: z
        .array(scope, 'be an array of scopes')
        .min(1, 'have at least one scope; to allow no scope, set access to "blocked"')
        .nullish(),
      pseudonym: z.boolean('be true or false').nullish(),
      limited: z
        .array(someText(), 'be an array of types of boundaries')
        .min(1, 'have at least one type, or be omitted')
        .nullish(),
    } satisfies Shape<AppRule>,
    'be { access, ask, roles, scopes, pseudonym, limited }',
  );
}
