import type { Core } from '../core.ts';
import { recordedProgram } from '../clients/client-metadata.ts';
import { refusals } from '../decisions/allowance.ts';
import type { DeclaredBoundary } from '../boundaries/boundary.ts';
import type { ServiceAccess } from '../clients/client.ts';
import type { Site } from '../../host/school-platform.ts';
import type { InvalidToken } from '../../kernel/errors.ts';
import { splitScope } from '../scopes/scopes.ts';
import { storedId } from '../../records/codec.ts';
import { type TokenParties, currentTrace } from '../../observe/request-trace.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import { serviceAccess } from './verified-access.ts';

type Reject = (siteId: string, text: string, reason: string, parties: () => TokenParties) => InvalidToken;

/** Verifies the token of a service; `undefined` for one that is unknown. @throws InvalidToken */
export type ServiceVerifier = (site: Site, token: string, reject: Reject) => Promise<ServiceAccess | undefined>;

export function createServiceVerifier(
  { records, audit, clients, decisions }: Core,
  boundaries: readonly DeclaredBoundary[],
): ServiceVerifier {
  const { store } = records;
  const { telemetry } = audit;
  return async (site, token, reject) => {
    const found = await store.find(site.id, 'ClientCredentials', storedId('ClientCredentials', token));
    if (!found) return undefined;
    const { aud, exp, clientId, scope, secret } = found.record;
    telemetry?.client(clientId);
    const unknown = (): TokenParties => ({ clientId });
    if (exp <= epochSeconds())
      throw reject(site.id, 'the access token has expired; request another one', 'expired', unknown);
    if (aud !== site.origin) {
      throw reject(site.id, 'the access token was issued for another origin', 'other_origin', unknown);
    }
    const client = await clients.find(site.id, clientId, 'identify');
    const parties = (): TokenParties => ({ clientId, program: recordedProgram(client ?? {}) });
    const { refusal, mayGrant, service } = await decisions.serviceAllowance(site, client, secret);
    if (refusal) throw reject(site.id, refusals[refusal], refusal, parties);
    const trace = currentTrace();
    if (trace) trace.token ??= parties;
    const scopes = splitScope(scope).filter(mayGrant);
    return serviceAccess({ site, service, clientId, audience: 'service', scopes, expiresAt: exp }, boundaries);
  };
}
