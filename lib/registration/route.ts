import { randomBytes } from 'node:crypto';
import { epochSeconds } from '../runtime/clock.ts';
import type { RegisteredClientMetadata, RegistrationPolicy, RegistrationResponse } from '../contracts/registration.ts';
import type { Site } from '../contracts/platform.ts';
import type { Store } from '../contracts/store.ts';
import type { ClientFinder } from '../clients/finder.ts';
import type { AuditEvent, OnAudit } from '../runtime/events.ts';
import { readJson } from '../http/body.ts';
import type { Route } from '../contracts/route.ts';
import type { Limiter } from '../rate-limit/limiter.ts';
import { serializeRecord } from '../records/codec.ts';
import { paths } from '../protocol/paths.ts';
import { decideRegistration, type RegistrationDecision } from './decide.ts';
import { readMetadata } from './schema.ts';

interface RegistrationOptions {
  readonly policies: readonly RegistrationPolicy[];
  readonly store: Pick<Store, 'save'>;
  readonly clients: ClientFinder;
  readonly limit: Limiter;
  readonly onAudit: OnAudit;
}

/** The registration endpoint. Specification: OAuth endpoints. */
export function registrationRoute(options: RegistrationOptions): Route {
  return {
    path: paths.register,
    methods: ['POST'],
    kind: 'api',
    handle: async ({ ctx, site }) => {
      const metadata = readMetadata(await readJson(ctx));
      const decision = await decideRegistration(options.policies, { site, metadata });
      options.onAudit(auditOf(site, decision));
      // Only stored registrations consume quota, so that no one can lock out a vendor.
      if (decision.outcome === 'admitted') await options.limit(ctx, site.id);
      const response = await responseFor(options, site, decision);
      if (decision.outcome === 'admitted') await keep(options, site, decision, response);
      ctx.body = response;
      ctx.status = 201;
    },
  };
}

function auditOf(site: Site, decision: RegistrationDecision): AuditEvent {
  const refused = decision.outcome === 'refused';
  return {
    what: 'registration',
    decision: refused ? 'refused' : 'allowed',
    reason: refused ? decision.error.error : decision.policy,
    siteId: site.id,
    ...(decision.outcome === 'known' && { clientId: decision.clientId }),
  };
}

/**
 * The response to a registration. An admitted client gets a random id; nothing is stored.
 *
 * @throws OAuthError if the registration is refused
 */
export async function responseFor(
  { clients }: Pick<RegistrationOptions, 'clients'>,
  site: Site,
  decision: RegistrationDecision,
): Promise<RegistrationResponse> {
  if (decision.outcome === 'refused') throw decision.error;
  if (decision.outcome === 'admitted') return admittedResponse(decision.metadata);
  const known = await clients(site.id, decision.clientId);
  if (!known) {
    throw new TypeError(`${decision.policy} returned the client ${decision.clientId}, which is not one of its clients`);
  }
  return { ...shown(known), client_id: decision.clientId };
}

function admittedResponse(metadata: RegisteredClientMetadata): RegistrationResponse {
  const client_id = `reg-${randomBytes(16).toString('base64url')}`;
  return { ...shown({ ...metadata }), client_id, client_id_issued_at: epochSeconds() };
}

const shownMembers = [
  'client_name',
  'application_type',
  'redirect_uris',
  'grant_types',
  'response_types',
  'token_endpoint_auth_method',
  'scope',
  'client_uri',
  'logo_uri',
  'tos_uri',
  'policy_uri',
];

function shown(metadata: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(shownMembers.map((name) => [name, metadata[name]]));
}

/** The policy sets the lifetime; consent extends it (`extendUsedRegistrations`). */
async function keep(
  { store }: RegistrationOptions,
  site: Site,
  { ttl }: Extract<RegistrationDecision, { outcome: 'admitted' }>,
  answer: RegistrationResponse,
): Promise<void> {
  const record = serializeRecord({ ...answer, campus_audience: 'operator', campus_source: 'registered' });
  await store.save(site.id, { kind: 'Client', id: answer.client_id, record, ttl });
}
