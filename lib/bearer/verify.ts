import type { ClientCheck } from '../clients/finder.ts';
import type { ClientAudience } from '../contracts/client.ts';
import type { Store } from '../contracts/store.ts';
import { InvalidToken } from '../protocol/errors.ts';
import type { HostPlatform } from '../host/platform.ts';
import type { AccessRule } from '../host/access-rule.ts';
import { epochSeconds } from '../runtime/clock.ts';
import { decodeRecord, storedId } from '../records/codec.ts';
import { splitScope } from '../protocol/scopes.ts';
import type { VerifyAccess } from '../contracts/access.ts';

/** What verification rests on. */
export interface VerifyOptions {
  readonly store: Pick<Store, 'find'>;
  readonly platform: Pick<HostPlatform, 'findMember'>;
  readonly access: AccessRule;
  readonly gate: ClientCheck;
}

const refusal = 'the access token is unknown, has expired or was revoked; refresh it or authorize again';

/**
 * A verifier of access tokens.
 *
 * @throws InvalidToken when the token is of no use at this site
 * @throws TemporarilyUnavailable when that cannot be told
 */
export function createVerify({ store, platform, access, gate }: VerifyOptions): VerifyAccess {
  return async (site, token) => {
    const found = await store.find(site.id, 'AccessToken', storedId('AccessToken', token));
    if (!found) throw new InvalidToken(refusal);
    const { aud, exp, accountId, clientId, scope, extra } = decodeRecord(
      'AccessToken',
      token,
      found.record,
      site.origin,
    );
    if (typeof exp !== 'number' || exp <= epochSeconds()) throw new InvalidToken(refusal);
    if (aud !== site.origin || accountId === undefined || clientId === undefined) {
      throw new InvalidToken('the access token was issued for another origin');
    }
    if (!gate(clientId)) throw new InvalidToken('the client of this access token is not permitted here any more');
    const audience: ClientAudience = extra?.['client_audience'] === 'member' ? 'member' : 'operator';
    const member = await platform.findMember(site, accountId);
    if (!member || access(member, audience) !== 'permitted') {
      throw new InvalidToken('the person whom this access token stands for has lost access at this school');
    }
    return { member, clientId, audience, scopes: splitScope(scope), expiresAt: exp };
  };
}
