import * as z from 'zod';
import { OAuthError } from '../kernel/errors.ts';
import type { OnFault } from '../observe/events.ts';
import { isThenable, reportFault } from '../observe/faults-to-503.ts';
import { checkReturn } from './check-returns.ts';

/** One of these verdicts, or none. */
export function verdictOf(decisions: string, kinds: Parameters<typeof z.discriminatedUnion>[1]): z.ZodType {
  const error = ({ code }: { readonly code: string }): string =>
    code === 'invalid_union' ? `be ${decisions}` : `be undefined, or an object with the decision ${decisions}`;
  return z.discriminatedUnion('decision', kinds, { error }).optional();
}

/** What the messages call a policy: by its place, and by its name if it has one. */
export function named(place: string, name: string): string {
  return name === '' ? place : `${place} (${name})`;
}

type Wrap = <A extends unknown[], R>(what: string, call: (...args: A) => R, schema: z.ZodType) => (...args: A) => R;

/** Wraps functions of the host that respond at once. An `OAuthError` that they throw is their refusal, everything else a fault. */
export function syncWrapper(onFault: OnFault): Wrap {
  return (what, call, schema) =>
    (...args) => {
      try {
        const returned = call(...args);
        // A promise is refused, and nobody waits for it.
        if (isThenable(returned)) Promise.resolve(returned).catch(() => undefined);
        return checkReturn(what, schema, returned);
      } catch (error) {
        throw error instanceof OAuthError ? error : reportFault(onFault, what, error);
      }
    };
}
