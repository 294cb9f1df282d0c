import type { Core } from '../core.ts';
import { tokenUse } from '../decisions/allowance.ts';
import { type DeclaredBoundary, undeclaredIn } from '../boundaries/boundary.ts';
import type { AccessOf, ClientAudience, VerifyToken } from '../clients/client.ts';
import type { Site } from '../../host/school-platform.ts';
import { InsufficientScope, InvalidToken } from '../../kernel/errors.ts';
import { splitScope } from '../scopes/scopes.ts';
import { grantIdOf, storedId } from '../../records/codec.ts';
import type { Enabled } from '../enabled/enabled.ts';
import { currentTrace, type TokenParties } from '../../observe/request-trace.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import { createServiceVerifier } from './service-token.ts';
import { personAccess } from './verified-access.ts';

interface BearerSettings {
  readonly enabled: Enabled;
  readonly boundaryTypes: readonly DeclaredBoundary[];
}

const refusal = 'the access token is unknown, has expired or was revoked; refresh it or authorize again';

/** The person of an access token, as its client knows them. */
export type AnyAccess = AccessOf<ClientAudience> & {
  /** The pseudonym by which the client knows the person. @default the id of the member */
  readonly pseudonym?: string | undefined;
};

/** Who may call with an access token. */
export interface Bearer {
  /** @throws InsufficientScope also for the token of a client that knows the person by a pseudonym: it must not learn more */
  readonly verify: VerifyToken;
  /** The same, with those of such clients. */
  readonly verifyAny: (site: Site, token: string) => Promise<AnyAccess>;
}

/** Verifies the access tokens of clients, and of services if there are some. */
export function createBearer({ enabled, boundaryTypes: boundaries }: BearerSettings, core: Core): Bearer {
  const { host, records, decisions, audit } = core;
  const { store, time } = records;
  const { platform } = host;
  const { access, allowance } = decisions;
  const { onAudit, telemetry } = audit;
  const verifyService = enabled.hasServices ? createServiceVerifier(core, boundaries) : undefined;
  const reject = (siteId: string, text: string, reason: string, parties?: () => TokenParties): InvalidToken => {
    onAudit({ action: 'token.rejected', siteId, reason, ...parties?.() });
    return new InvalidToken(text);
  };
  const verifyOne: Bearer['verifyAny'] = async (site, token) => {
    const found = await store.find(site.id, 'AccessToken', storedId('AccessToken', token));
    if (!found) {
      const service = await verifyService?.(site, token, reject);
      if (service) return service;
      throw reject(site.id, refusal, 'unknown');
    }
    const { aud, exp, accountId, clientId, scope, audience, authTime, acr, only, sub } = found.record;
    telemetry?.client(clientId);
    const { familyId } = found;
    const parties = (): TokenParties => {
      return { clientId, memberId: accountId, connectionId: grantIdOf(accountId, clientId), familyId };
    };
    if (exp <= epochSeconds()) throw reject(site.id, refusal, 'expired', parties);
    if (aud !== site.origin) {
      throw reject(site.id, 'the access token was issued for another origin', 'other_origin', parties);
    }
    const member = await platform.findMember(site, accountId);
    if (!member || access(member, audience) !== 'permitted') {
      const text = 'the person whom this access token acts for has lost access at this school';
      throw reject(site.id, text, 'no_access', parties);
    }
    const { refusal: reason, mayGrant } = await allowance({ ...tokenUse(found.record), site, member });
    if (reason) throw reject(site.id, 'the client of this access token is no longer permitted here', reason, parties);
    if (undeclaredIn(boundaries, only) !== undefined) throw reject(site.id, refusal, 'boundary_removed', parties);
    const trace = currentTrace();
    if (trace) trace.token ??= parties;
    const signedIn = { ...(authTime !== undefined && { authTime }), ...(acr !== undefined && { acr }) };
    const scopes = splitScope(scope).filter(mayGrant);
    const signed = { site, member, clientId, audience, scopes, only, expiresAt: exp, ...signedIn };
    const person = personAccess(signed, boundaries);
    return sub === undefined ? person : { ...person, pseudonym: sub };
  };
  const verifyAny: Bearer['verifyAny'] = (site, token) => time.run(() => verifyOne(site, token));
  const verify: VerifyToken = async (site, token) => {
    const found = await verifyAny(site, token);
    if (found.pseudonym === undefined) return found;
    throw new InsufficientScope(
      'this client knows people by pseudonyms, so its access tokens are accepted at UserInfo only',
      [],
    );
  };
  return { verify, verifyAny };
}
