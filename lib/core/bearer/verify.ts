import type { Core } from '../core.ts';
import { appOfCode } from '../access/app-of-token.ts';
import { type Refusal, refusals } from '../access/who-can-change.ts';
import type { DeclaredBoundary } from '../boundaries/boundary.ts';
import type { TokenOf, ClientAudience } from '../clients/client.ts';
import { endOfPerson } from '../grants/person-gone.ts';
import type { Site } from '../../host/school-platform.ts';
import type { ResponseHeaders } from '../../http/plain-response.ts';
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
import type { BearerAuth, KnownToken, VerifyToken } from './bearer-auth.ts';
import { BoundToken, InvalidDpopProof, type KeyProofs, type ProvenCall } from './key-proof.ts';
import { personToken, serviceToken } from './verified-token.ts';

interface BearerSettings {
  readonly enabled: Enabled;
  readonly boundaryTypes: readonly DeclaredBoundary[];
}

/** Who may call with an access token. */
export interface Bearer extends BearerAuth {
  /** The same as `verify`, with the tokens of clients that know a person by a pseudonym. */
  readonly verifyAny: VerifyToken;
}

/** Verifies the access tokens of clients, and of services if there are some. */
export function createBearer(
  { enabled, boundaryTypes: boundaries }: BearerSettings,
  core: Core,
  { dpop }: KeyProofs,
): Bearer {
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

  const report = (siteId: string, reason: RejectionReason, parties?: TokenParties): void =>
    onAudit({ action: 'token.rejected', siteId, reason, ...parties });
  const reject = (siteId: string, reason: RejectionReason, text: string, parties?: TokenParties): InvalidToken => {
    report(siteId, reason, parties);
    return new InvalidToken(text);
  };

  /** Whatever is on: a bound token is never a bearer token. */
  async function proveKey(
    site: Site,
    token: string,
    found: FoundToken,
    call: ProvenCall | undefined,
  ): Promise<ResponseHeaders> {
    const { jkt } = found.record;
    if (jkt === undefined) {
      if (call) throw new InvalidToken('this access token is not bound to a key; send Authorization: Bearer <token>');
      return {};
    }
    try {
      if (dpop && call) return await dpop.prove(site, token, jkt, call);
      throw new BoundToken(dpop ? proofMissing : proofsOff);
    } catch (error) {
      const mayBeStolen = error instanceof InvalidToken || error instanceof InvalidDpopProof;
      if (mayBeStolen) report(site.id, 'key_not_proven', partiesOf(found));
      throw error;
    }
  }

  async function verifyOne(site: Site, token: string, call: ProvenCall | undefined): Promise<KnownToken> {
    const found = await find(site, token);
    if (!found) throw reject(site.id, 'unknown', gone);
    telemetry?.client(found.record.clientId);
    const headers = await proveKey(site, token, found, call);
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
    return { token: verifiedOf(site, found, permission), pseudonym: permission.pseudonym, headers };
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

  const verifyAny: VerifyToken = (site, token, call) => time.run(() => verifyOne(site, token, call));
  const verify: VerifyToken = async (site, token, call) => {
    const known = await verifyAny(site, token, call);
    if (known.pseudonym === undefined) return known;
    throw new InsufficientScope(
      'this client knows people by pseudonyms, so its access tokens are accepted at UserInfo only',
      [],
    );
  };
  return { verify, verifyAny, dpop };
}

type RejectionReason = NoPermissionReason | 'unknown' | 'key_not_proven';

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
const proofMissing =
  'this access token is bound to a key; send Authorization: DPoP <token>, and a proof in the header DPoP';
const proofsOff = 'this access token is bound to a key, and no proofs are accepted here at present; authorize again';
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
