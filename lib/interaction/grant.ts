import type { Grant } from 'oidc-provider';
import { type EngineRequest, withEngineRequest } from '../provider/engine-request.ts';
import type { Engine } from '../provider/engine.ts';
import { grantIdOf } from '../records/codec.ts';
import { type Scope, splitScope } from '../protocol/scopes.ts';

interface ConsentDecision {
  readonly memberId: string;
  readonly clientId: string;
  readonly allowed: readonly Scope[];
  /** Requested, but not allowed. */
  readonly refused: readonly Scope[];
}

/**
 * Writes the decision to the person's grant for this client and returns the grant's id. A refused scope is removed even
 * if it was allowed before. The grant's lifetime starts again.
 */
export async function saveGrant(
  engine: Engine,
  request: EngineRequest,
  { memberId, clientId, allowed, refused }: ConsentDecision,
): Promise<string> {
  return withEngineRequest(request, async () => {
    const { Grant } = engine.provider;
    const origin = request.site.origin;
    const id = grantIdOf(memberId, clientId);
    const grant = (await Grant.find<Grant>(id)) ?? new Grant({ accountId: memberId, clientId });
    grant.jti = id;
    const removed = new Set<string>(refused);
    const before = splitScope(grant.getResourceScope(origin)).filter((scope) => !removed.has(scope));
    const scope = [...new Set([...before, ...allowed])].join(' ');
    // The engine has each scope twice: as its own and as the resource server's.
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
