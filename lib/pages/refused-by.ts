import type { Refusal } from '../core/access/who-can-change.ts';

/**
 * Whose decision stands in the way of a person.
 *
 * - `role`: a rule, which asks for a role that the person lacks.
 * - `person`: an administrator, who decides for each person.
 * - `version`: an administrator, who has not approved the app, or this version of it.
 * - `blocked`: a rule that blocks the app.
 * - `policy`: policies of the platform, which leave nothing.
 */
export type RefusedBy = 'role' | 'person' | 'version' | 'blocked' | 'policy';

interface Refusing {
  readonly refusal: Refusal | undefined;
  /** Whether permissions wait for an approval. */
  readonly waits: boolean;
}

export function refusedBy({ refusal, waits }: Refusing): RefusedBy {
  if (refusal === 'client_role') return 'role';
  if (refusal === 'needs_approval') return 'person';
  if (refusal) return 'blocked';
  return waits ? 'version' : 'policy';
}
