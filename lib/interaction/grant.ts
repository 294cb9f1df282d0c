import type { Grant } from 'oidc-provider';
import { type EngineRequest, withEngineRequest } from '../provider/engine-request.ts';
import type { Engine } from '../provider/engine.ts';
import { grantIdOf } from '../records/grant-id.ts';
import { type Scope, splitScope } from '../protocol/scopes.ts';

/** What the person allowed, and what was asked for and is not allowed. */
export interface Decision {
  readonly memberId: string;
  readonly clientId: string;
  readonly allowed: readonly Scope[];
  readonly refused: readonly Scope[];
}

/**
 * Writes a decision into the person's grant to this client, a new one or the one there was, and answers its id. What is
 * refused now is taken away even if it was allowed before; the grant's life starts anew.
 */
export async function saveGrant(
  engine: Engine,
  call: EngineRequest,
  { memberId, clientId, allowed, refused }: Decision,
): Promise<string> {
  return withEngineRequest(call, async () => {
    const { Grant } = engine.provider;
    const origin = call.site.origin;
    const id = grantIdOf(memberId, clientId);
    const grant = (await Grant.find<Grant>(id)) ?? new Grant({ accountId: memberId, clientId });
    grant.jti = id;
    const taken = new Set<string>(refused);
    const before = splitScope(grant.getResourceScope(origin)).filter((scope) => !taken.has(scope));
    const scope = [...new Set([...before, ...allowed])].join(' ');
    // The engine knows every scope of ours both as its own and as the resource's.
    grant.openid = { scope };
    grant.resources = { [origin]: scope };
    grant.rejected = undefined;
    if (refused.length > 0) {
      grant.rejectOIDCScope([...refused]);
      grant.rejectResourceScope(origin, [...refused]);
    }
    grant.exp = undefined;
    return grant.save();
  });
}
