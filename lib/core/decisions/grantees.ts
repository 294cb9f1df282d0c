import type { Grantee } from '../../records/grantee.ts';
import type { ProgramTarget, RuledProgram } from './program-rule.ts';

/**
 * The app for which a client counts that registered itself as a program. Each installation does, so there can be thousands. Those of which nobody can check
 * that they are the program count apart.
 */
export function appOf({ id, verified }: RuledProgram): string {
  return verified ? id : `${id}?`;
}

/** The program of an app. */
export function programOfApp(app: string): RuledProgram {
  return app.endsWith('?') ? { id: app.slice(0, -1), verified: false } : { id: app, verified: true };
}

/**
 * To whom people give grants that connect it: a client, or for a program all clients in code that are it, and those that registered themselves
 * as it. Metadata documents and what a school has added itself stand for themselves.
 */
export function granteesOf(target: ProgramTarget, inCode: (program: string) => readonly string[]): readonly Grantee[] {
  if ('clientId' in target) return [target];
  const { program: id } = target;
  const apps = [true, false].map((verified) => ({ app: appOf({ id, verified }) }));
  return [...apps, ...inCode(id).map((clientId) => ({ clientId }))];
}
