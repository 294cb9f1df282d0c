import type { Member } from '../contracts/platform.ts';
import type { denial } from '../host/platform.ts';

/** A person who may not use a client, while another one may. */
export interface Denial {
  readonly member: Member | undefined;
  readonly reason: keyof typeof denial;
  readonly params: Readonly<Record<string, unknown>>;
}
