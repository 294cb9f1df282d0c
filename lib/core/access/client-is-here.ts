import type { Facts, Permission } from './permission.ts';
import { refuse } from './taking.ts';

/** The school has this client. */
export function clientIsHere(p: Permission, { isHere }: Facts): Permission {
  return isHere ? p : refuse(p, clientIsHere, 'client_not_permitted', 'platform');
}
