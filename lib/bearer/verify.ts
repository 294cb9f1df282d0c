import type { ClientCheck } from '../clients/finder.ts';
import type { VerifyAccess } from '../contracts/client.ts';
import type { Telemetry } from '../contracts/telemetry.ts';
import type { AccessRule } from '../host/access-rule.ts';
import type { HostPlatform } from '../host/platform.ts';
import { InvalidToken } from '../protocol/errors.ts';
import { type ScopeCatalogue, splitScope } from '../protocol/scopes.ts';
import { storedId } from '../records/codec.ts';
import type { RecordStore } from '../records/record-store.ts';
import { epochSeconds } from '../runtime/clock.ts';
import type { RequestTime } from '../runtime/timeout.ts';

interface VerifyOptions {
  readonly store: Pick<RecordStore, 'find'>;
  readonly storeTime: RequestTime;
  readonly platform: Pick<HostPlatform, 'findMember'>;
  readonly access: AccessRule;
  readonly isClientPermitted: ClientCheck;
  readonly catalogue: ScopeCatalogue;
  readonly telemetry: Pick<Telemetry, 'client'> | undefined;
}

const refusal = 'the access token is unknown, has expired or was revoked; refresh it or authorize again';

export function createVerify(options: VerifyOptions): VerifyAccess {
  const { store, storeTime, platform, access, isClientPermitted, catalogue, telemetry } = options;
  const verify: VerifyAccess = async (site, token) => {
    const found = await store.find(site.id, 'AccessToken', storedId('AccessToken', token));
    if (!found) throw new InvalidToken(refusal);
    const { aud, exp, accountId, clientId, isStatic, scope, audience } = found.record;
    telemetry?.client(clientId);
    if (exp <= epochSeconds()) throw new InvalidToken(refusal);
    if (aud !== site.origin) throw new InvalidToken('the access token was issued for another origin');
    if (!isClientPermitted(site.id, { clientId, isStatic }))
      throw new InvalidToken('the client of this access token is no longer permitted here');
    const member = await platform.findMember(site, accountId);
    if (!member || access(member, audience) !== 'permitted') {
      throw new InvalidToken('the person whom this access token acts for has lost access at this school');
    }
    // Of what was granted, what there still is: the platform can stop declaring a scope.
    const scopes = splitScope(scope).filter((each) => catalogue.mayHave(audience, each));
    return { member, clientId, audience, scopes, expiresAt: exp };
  };
  return (site, token) => storeTime.run(() => verify(site, token));
}
