import { undeclaredIn } from '../core/boundaries/boundary.ts';
import { grantIdOf } from '../records/codec.ts';
import type { Interaction } from './interaction.ts';

/**
 * Whether the person has limited the connection by something that the platform no longer has. Whatever they allow on the consent page, it would give
 * nothing: it has to end first, and what it was limited to is kept until then, since the platform may have it again.
 */
export async function limitIsGone(
  { options, route, record }: Interaction,
  memberId: string,
  clientId: string,
): Promise<boolean> {
  // Nothing is read of most connections.
  if (!record.prompt.reasons.includes('limit_removed')) return false;
  const grant = await options.core.records.store.find(route.site.id, 'Grant', grantIdOf(memberId, clientId));
  return undeclaredIn(options.core.choices.declared, grant?.record.only) !== undefined;
}
