import type { JsonMembers } from '../../kernel/json.ts';

/** Why an app of a person ended that they did not end themselves. */
export const endings = ['off', 'disconnected', 'changed', 'removed'] as const;

/** How an app of a person ended. */
export type Ending = (typeof endings)[number];

/**
 * What a person has not read yet.
 *
 * - `answer`: the school has answered the request that the row is named after.
 * - `seen`: they have read what a decision on an app meant for that request.
 * - an ending: an app has lost its access.
 */
export type NewsRow =
  | {
      readonly what: 'answer' | 'seen';
      /** In seconds since the epoch. */
      readonly at: number;
    }
  | {
      readonly what: Ending;
      /** When it ended, in seconds since the epoch. */
      readonly at: number;
      readonly clientId: string;
      readonly clientName: string;
      /** The id of the app. */
      readonly app?: string | undefined;
    };

/** Reads a stored row; nothing for one of a later release. */
export function newsRow({ what, at, clientId, clientName, app }: JsonMembers): NewsRow | undefined {
  if (typeof at !== 'number') return undefined;
  if (what === 'answer' || what === 'seen') return { what, at };
  const ending = endings.find((each) => each === what);
  if (!ending || typeof clientId !== 'string' || typeof clientName !== 'string') return undefined;
  return { what: ending, at, clientId, clientName, ...(typeof app === 'string' && { app }) };
}
