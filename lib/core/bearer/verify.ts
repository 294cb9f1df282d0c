import type { Core } from '../core.ts';
import { appOfCode } from '../access/app-of-token.ts';
import { type Refusal, refusals } from '../access/who-can-change.ts';
import type { DeclaredBoundary } from '../boundaries/boundary.ts';
import type { TokenOf, ClientAudience, VerifyToken } from '../clients/client.ts';
import { endOfPerson } from '../grants/person-gone.ts';
import type { Site } from '../../host/school-platform.ts';
import { InsufficientScope, InvalidToken } from '../../kernel/errors.ts';
import { grantIdOf, storedId } from '../../records/codec.ts';
import type { Enabled } from '../enabled/enabled.ts';
import { currentTrace, type TokenParties } from '../../observe/request-trace.ts';
import type {
  NoPermissionReason,
  PermissionOfPerson,
  PresentedToken,
  PermissionOfService,
} from '../access/token-permission.ts';
import { personToken, serviceToken } from './verified-token.ts';

interface BearerSettings {
  readonly enabled: Enabled;
  readonly boundaryTypes: readonly DeclaredBoundary[];
}

/** The person of an access token, as its client knows them. */
export interface KnownToken {
  readonly verified: TokenOf<ClientAudience>;
  /** The pseudonym by which the client knows the person. @default the id of the member */
  readonly pseudonym?: string | undefined;
}

/** Who may call with an access token. */
export interface Bearer {
  /** @throws InsufficientScope also for the token of a client that knows the person by a pseudonym: it must not learn more */
  readonly verify: VerifyToken;
  /** The same, with those of such clients. */
  readonly verifyAny: (site: Site, token: string) => Promise<KnownToken>;
}

/** Verifies the access tokens of clients, and of services if there are some. */
export function createBearer({ enabled, boundaryTypes: boundaries }: BearerSettings, core: Core): Bearer {
  const { records, audit } = core;
  const { permissionOf } = core.access;
  const { store, time } = records;
  const { onAudit, telemetry } = audit;

  async function find(site: Site, token: string): Promise<FoundToken | undefined> {
    const found = await store.find(site.id, 'AccessToken', storedId('AccessToken', token));
    if (found) return { kind: 'AccessToken', record: found.record, familyId: found.familyId };
    if (!enabled.hasServices) return undefined;
    const ofService = await store.find(site.id, 'ClientCredentials', storedId('ClientCredentials', token));
    return ofService && { kind: 'ClientCredentials', record: ofService.record };
  }

  const reject = (
    siteId: string,
    reason: NoPermissionReason | 'unknown' | 'key_not_proven',
    text: string,
    parties?: TokenParties,
  ): InvalidToken => {
    onAudit({ action: 'token.rejected', siteId, reason, ...parties });
    return new InvalidToken(text);
  };

  async function verifyOne(site: Site, token: string): Promise<KnownToken> {
    const found = await find(site, token);
    if (!found) throw reject(site.id, 'unknown', gone);
    telemetry?.client(found.record.clientId);
    // Whatever is on: a bound token is never a bearer token.
    if (found.record.jkt !== undefined) {
      throw reject(site.id, 'key_not_proven', boundToKey, partiesOf(found));
    }
    const permission = await permissionOf(site, found);
    const parties = (): TokenParties => partiesOf(found, permission.app);
    if (permission.refusal !== undefined) {
      const { refusal } = permission;
      if (refusal === 'person_gone' && found.kind === 'AccessToken') {
        const { accountId: memberId, clientId } = found.record;
        await endOfPerson(core, site, { memberId, clientId });
      }
      throw reject(
        site.id,
        refusal,
        found.kind === 'AccessToken' ? textOf(refusal) : textOfService(refusal),
        parties(),
      );
    }
    const trace = currentTrace();
    if (trace) trace.token ??= parties;
    return { verified: verifiedOf(site, found, permission), pseudonym: permission.pseudonym };
  }

  function verifiedOf(
    site: Site,
    found: FoundToken,
    permission: PermissionOfPerson | PermissionOfService,
  ): TokenOf<ClientAudience> {
    const { clientId, scopes } = permission;
    const common = { site, clientId, scopes, expiresAt: found.record.exp };
    if (permission.service)
      return serviceToken({ ...common, audience: 'service', service: permission.service }, boundaries);
    const { member, audience, only } = permission;
    const { authTime, acr } = found.kind === 'AccessToken' ? found.record : {};
    const signedIn = { ...(authTime !== undefined && { authTime }), ...(acr !== undefined && { acr }) };
    return personToken({ ...common, member, audience, only, ...signedIn }, boundaries);
  }

  const verifyAny: Bearer['verifyAny'] = (site, token) => time.run(() => verifyOne(site, token));
  const verify: VerifyToken = async (site, token) => {
    const { verified, pseudonym } = await verifyAny(site, token);
    if (pseudonym === undefined) return verified;
    throw new InsufficientScope(
      'this client knows people by pseudonyms, so its access tokens are accepted at UserInfo only',
      [],
    );
  };
  return { verify, verifyAny };
}

/** An access token, of a person or a service. */
type FoundToken =
  | (Extract<PresentedToken, { kind: 'AccessToken' }> & { readonly familyId: string | undefined })
  | Extract<PresentedToken, { kind: 'ClientCredentials' }>;

function partiesOf(found: FoundToken, app?: string): TokenParties {
  if (found.kind === 'ClientCredentials') return { clientId: found.record.clientId, app };
  const { accountId: memberId, clientId, app: code } = found.record;
  const { id, claimedId } = appOfCode(code);
  const connectionId = grantIdOf(memberId, clientId);
  return { clientId, app: id ?? claimedId, memberId, connectionId, familyId: found.familyId };
}

const gone = 'the access token is unknown, has expired or was revoked; refresh it or authorize again';
const boundToKey = 'this access token is bound to a key, which its sender did not prove; authorize again';
const otherOrigin = 'the access token was issued for another origin';

function textOf(refusal: NoPermissionReason): string {
  if (refusal === 'expired' || refusal === 'boundary_removed') return gone;
  if (refusal === 'other_origin') return otherOrigin;
  if (refusal === 'no_access' || refusal === 'person_gone')
    return 'the person of this access token has lost access at this school';
  return 'the client of this access token is no longer permitted here';
}

function textOfService(refusal: NoPermissionReason): string {
  if (refusal === 'expired') return 'the access token has expired; request another one';
  if (refusal === 'other_origin') return otherOrigin;
  return isRefusal(refusal) ? refusals[refusal] : gone;
}

function isRefusal(reason: string): reason is Refusal {
  return Object.hasOwn(refusals, reason);
}
