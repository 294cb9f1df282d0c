import type { Grantee } from '../../records/grantee.ts';
import type { AppTarget, RuledApp } from './app-rule.ts';

/**
 * The key of an app, for its clients that registered themselves. Each installation does, so there can be thousands. Those of which nobody can check
 * that they are the app count apart.
 */
export function appKey({ id, verified }: RuledApp): string {
  return verified ? id : `${id}?`;
}

/** The app that a key stands for. */
export function appOfKey(app: string): RuledApp {
  return app.endsWith('?') ? { id: app.slice(0, -1), verified: false } : { id: app, verified: true };
}

/**
 * To whom people give grants that connect it: a client, or for an app all clients in code that are it, and those that registered themselves
 * as it. Metadata documents and what a school has added itself stand for themselves.
 */
export function granteesOf(target: AppTarget, inCode: (app: string) => readonly string[]): readonly Grantee[] {
  if ('clientId' in target) return [target];
  const { app: id } = target;
  const apps = [true, false].map((verified) => ({ app: appKey({ id, verified }) }));
  return [...apps, ...inCode(id).map((clientId) => ({ clientId }))];
}
