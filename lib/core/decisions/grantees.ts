import type { RuledProgram } from './program-rule.ts';

/**
 * The app for which a client counts that registered itself as a program. Each installation does, so there can be thousands. Those of which nobody can check
 * that they are the program count apart.
 */
export function appOf({ id, verified }: RuledProgram): string {
  return verified ? id : `${id}?`;
}
