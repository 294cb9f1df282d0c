import type { Facts, Permission } from './permission.ts';
import { keep } from './taking.ts';

/** What clients of this audience may have, and this one registered with, or was given where it was created. */
export function scopesOfClient(p: Permission, { asked: { client }, catalogue }: Facts): Permission {
  const own = client.scope?.split(' ');
  const keeps = (scope: string): boolean => catalogue.mayHave(client.audience, scope) && own?.includes(scope) !== false;
  return keep(p, scopesOfClient, keeps, (names) => ({
    code: 'scope',
    from: 'platform',
    text: `the client does not have ${names}`,
    change: 'the client gets the scope where it was created, or registers with it',
  }));
}
